import type { Severity } from '../contract/index.ts'

/** A normative sentence of a specification, in our own words, that a rule enforces. */
export interface Sentence {
  readonly id: string
  readonly level: 'MUST' | 'SHOULD' | 'MAY'
  /** The heading it stands under, or the ruling. */
  readonly source: string
  readonly text: string
}

/** One line of an example, with its number in the file that it was taken from. */
export interface ExampleLine {
  readonly line: number
  readonly text: string
  /** This line is at fault, or differs between the passing and the failing example. */
  readonly marked?: true
}

/** The telling lines of a document; where a number is passed over, lines were left out. */
export interface Example {
  readonly file: string
  readonly lines: readonly ExampleLine[]
  /** Facts from outside that the example is checked with, as YAML. */
  readonly facts?: string
}

/** What is printed for a failing example. */
export interface Printed {
  readonly line: number
  readonly column: number
  readonly severity: Severity
  readonly message: string
}

/** All that is to be said about one rule. */
export interface Explanation {
  readonly severity: Severity
  readonly summary: string
  readonly why: string
  /** It runs only in operations that supply its facts. */
  readonly phase?: 'transition' | 'receive'
  /** No configuration and no baseline excuses it. */
  readonly unconditional?: true
  readonly enforces: readonly Sentence[]
  readonly passing?: Example
  readonly failing?: Example
  readonly printed: readonly Printed[]
}

/** The explanations of a contract's rules by name, in the order of its rules. */
export type Explanations = Readonly<Record<string, Explanation>>
