import type { Path, Range, Span } from '../document/index.ts'

/** The severity of a diagnostic: MUST is an error, SHOULD a warning, MAY an info. */
export type Severity = 'error' | 'warning' | 'info'

/** One problem of a document in terms of the Language Server Protocol; `path` is a JSON Pointer. */
export interface Diagnostic {
  readonly code: string
  readonly severity: Severity
  readonly path: string
  readonly range: Range
  readonly message: string
  readonly hint?: string
}

/** Documents a code that is not a rule of a contract. */
export interface CodeMeaning {
  /** `depends`: the contract or the finding decides. */
  readonly severity: Severity | 'depends'
  readonly summary: string
  readonly why: string
  readonly remedy: string
}

/** A problem that a rule or the structure check reports, before it has a position. */
export interface Finding {
  /** The part of the value at fault; if it is missing, its nearest existing parent is shown. */
  readonly path: Path
  /** Points at the key of `path` instead of its value. */
  readonly atKey?: true
  /** A more exact position: offsets into the document's text. */
  readonly span?: Span
  /** What is wrong. */
  readonly message: string
  /** What to do about it. */
  readonly hint?: string
  /** The document's own reason to suppress this finding. */
  readonly allowed?: string
  /** The fact that is incomplete, so that the rule could not decide; reported as `not-checked`. */
  readonly undecided?: string
}
