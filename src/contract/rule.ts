import type { Document } from '../document/index.ts'
import type { Finding, Severity } from './diagnostic.ts'

/** What a rule may know beside the value: the time, the document, and the facts it asked for. */
export interface Context<F extends object = object> {
  /** Milliseconds since the epoch; always an input, so every result can be reproduced. */
  readonly now: number
  /** Where the document stands, relative to the root, with forward slashes; absent for text without a file. */
  readonly path?: string
  readonly document: Document
  /** Facts from outside: every one in `needs` is there, those in `uses` may be. */
  readonly facts: Readonly<Partial<F>>
}

/**
 * One check beyond structure.
 *
 * A rule of phase `check` (the default) whose need was not supplied is an error of its own; rules of the
 * phases `transition` and `receive` run only in operations that supply their facts.
 */
export interface Rule<T, F extends object = object> {
  readonly severity: Severity
  /** The condition that must hold, in one sentence. */
  readonly summary: string
  /** Why it matters to the reader of the document. */
  readonly why: string
  readonly phase?: 'transition' | 'receive'
  /** JSON Pointers (`*` for any member) of what the rule reads; it waits while one of them has a structural fault. Default: the whole document. */
  readonly reads?: readonly string[]
  /** Facts without which the rule cannot decide. */
  readonly needs?: readonly (keyof F & string)[]
  /** Facts the rule takes into account where they exist. */
  readonly uses?: readonly (keyof F & string)[]
  /** Whether there is anything to decide; saves asking for facts that would not be used. */
  applies?(value: T, context: Context<F>): boolean
  /** Rules about secrets, hashes, replay, signatures and ledger integrity: no configuration and no baseline excuses them. */
  readonly unconditional?: true
  check(value: T, context: Context<F>): Iterable<Finding>
}

/** The rules of one contract by name; a rule's code is `<contract>/<name>`. */
export type Rules<T, F extends object = object> = Readonly<Record<string, Rule<T, F>>>

/** Why a fact could not be had, and perhaps how to come by it. */
export interface Missing {
  readonly missing: string
  readonly hint?: string
}

/** A fact for rules: its value, or why it could not be had. */
export type Fact = { readonly value: unknown } | Missing

/** Facts by name, as the caller of a check supplies them. */
export type Facts = Readonly<Record<string, Fact>>

/** Whether there is a fact: one whose value is null or undefined says no more than one that was not supplied. */
export function isKnown(fact: Fact | undefined): fact is { readonly value: unknown } {
  return fact !== undefined && 'value' in fact && fact.value !== undefined && fact.value !== null
}

/** The values of those facts that there are. */
export function knownFacts(facts: Facts): Record<string, unknown> {
  const values: Record<string, unknown> = {}
  for (const [name, fact] of Object.entries(facts)) if (isKnown(fact)) values[name] = fact.value
  return values
}
