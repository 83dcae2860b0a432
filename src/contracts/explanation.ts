import type { Severity } from '../contract/index.ts'

/** A requirement that a rule enforces, paraphrased. */
export interface Sentence {
  readonly id: string
  readonly level: 'MUST' | 'SHOULD' | 'MAY'
  /** Its heading, or the ruling. */
  readonly source: string
  readonly text: string
}

/** One line of an example, with its number in the source file. */
export interface ExampleLine {
  readonly line: number
  readonly text: string
  /** The line is at fault, or differs between the passing and the failing example. */
  readonly marked?: true
}

/** The relevant lines of a document; gaps in the numbers are lines left out. */
export interface Example {
  readonly file: string
  readonly lines: readonly ExampleLine[]
  /** Facts for checking the example, as YAML. */
  readonly facts?: string
}

/** The output for a failing example. */
export interface Printed {
  readonly line: number
  readonly column: number
  readonly severity: Severity
  readonly message: string
}

/** The explanation of one rule. */
export interface Explanation {
  readonly severity: Severity
  readonly summary: string
  readonly why: string
  /** The rule runs only in operations that supply its facts. */
  readonly phase?: 'transition' | 'receive'
  /** Configuration and baseline cannot suppress the rule. */
  readonly unconditional?: true
  readonly enforces: readonly Sentence[]
  readonly passing?: Example
  readonly failing?: Example
  readonly printed: readonly Printed[]
}

/** The explanations of a contract's rules by name, in rule order. */
export type Explanations = Readonly<Record<string, Explanation>>
