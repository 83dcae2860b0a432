import type { Document } from '../document/index.ts'
import type { Finding, Severity } from './diagnostic.ts'

/** What a rule knows apart from the value: the time, the path, and the facts it asked for. */
export interface Context<F extends object = object> {
  /** Milliseconds since the epoch; an input, so that results are reproducible. */
  readonly now: number
  /** Path of the document relative to the root, with forward slashes; absent for text without a file. */
  readonly path?: string
  readonly document: Document
  /** Facts from outside: all of `needs`, and those of `uses` that exist. */
  readonly facts: Readonly<Partial<F>>
}

/**
 * One check beyond structure.
 *
 * For a rule of phase `check` (the default), a missing need is an error. Rules of the phases `transition` and `receive`
 * run only in operations that supply their facts.
 */
export interface Rule<T, F extends object = object> {
  readonly severity: Severity
  /** The condition that must hold, in one sentence. */
  readonly summary: string
  /** Why it matters to the reader of the document. */
  readonly why: string
  readonly phase?: 'transition' | 'receive'
  /** JSON Pointers (`*` for any member) that the rule reads; skipped while one is invalid. Default: all. */
  readonly reads?: readonly string[]
  /** Facts without which the rule cannot decide. */
  readonly needs?: readonly (keyof F & string)[]
  /** Facts that the rule uses if they exist. */
  readonly uses?: readonly (keyof F & string)[]
  /** Whether the rule has anything to check; avoids asking for facts that it would not use. */
  applies?(value: T, context: Context<F>): boolean
  /** Rules about secrets, hashes, replay, signatures and ledger integrity: configuration cannot suppress them. */
  readonly unconditional?: true
  check(value: T, context: Context<F>): Iterable<Finding>
}

/** The rules of one contract by name; a rule's code is `<contract>/<name>`. */
export type Rules<T, F extends object = object> = Readonly<Record<string, Rule<T, F>>>

/** Why a fact is missing, and perhaps how to supply it. */
export interface Missing {
  readonly missing: string
  readonly hint?: string
}

/** A fact for rules: its value, or why it is missing. */
export type Fact = { readonly value: unknown } | Missing

/** Facts by name, as the caller supplies them. */
export type Facts = Readonly<Record<string, Fact>>

/** Whether a fact exists: a value of null or undefined counts as not supplied. */
export function isKnown(fact: Fact | undefined): fact is { readonly value: unknown } {
  return fact !== undefined && 'value' in fact && fact.value !== undefined && fact.value !== null
}

/** The values of the facts that exist. */
export function knownFacts(facts: Facts): Record<string, unknown> {
  const values: Record<string, unknown> = {}
  for (const [name, fact] of Object.entries(facts)) if (isKnown(fact)) values[name] = fact.value
  return values
}
