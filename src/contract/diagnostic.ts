import type { Path, Range, Span } from '../document/index.ts'

/** How much a diagnostic weighs: MUST is an error, SHOULD a warning, MAY an info. */
export type Severity = 'error' | 'warning' | 'info'

/** One thing wrong with a document, in the Language Server Protocol's words; `path` is a JSON Pointer. */
export interface Diagnostic {
  readonly code: string
  readonly severity: Severity
  readonly path: string
  readonly range: Range
  readonly message: string
  readonly hint?: string
}

/** What is said about a code that is no rule of a contract. */
export interface CodeMeaning {
  /** `depends`: the contract or the finding decides. */
  readonly severity: Severity | 'depends'
  readonly summary: string
  readonly why: string
  readonly remedy: string
}

/** What a rule or the structure check reports before it has a place in the text. */
export interface Finding {
  /** The part of the value that is at fault; the nearest existing part is shown when it is missing. */
  readonly path: Path
  /** Points at the key of `path` instead of its value. */
  readonly atKey?: true
  /** A more exact place: offsets into the document's text. */
  readonly span?: Span
  /** What is wrong. */
  readonly message: string
  /** What to do about it. */
  readonly hint?: string
  /** The words by which the document itself excuses this; it is then listed as suppressed. */
  readonly allowed?: string
  /** The fact of which a part is missing, as the message says: the rule could not decide, and that is `not-checked`. */
  readonly undecided?: string
}
