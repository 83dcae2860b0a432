import type { Markdown } from './markdown.ts'

/** A path into a value: object keys and array indexes from the root. */
export type Path = readonly (string | number)[]

/** A position in a text: zero-based line and UTF-16 character, as in the Language Server Protocol. */
export interface Position {
  readonly line: number
  readonly character: number
}

/** A range of text from `start` to `end`, exclusive. */
export interface Range {
  readonly start: Position
  readonly end: Position
}

/** A range of text as offsets in UTF-16 units, end exclusive. */
export interface Span {
  readonly start: number
  readonly end: number
}

/** The format of a document. */
export type Format = 'json' | 'yaml' | 'markdown'

/** An error or ambiguity in a text. Collected, never thrown. */
export interface Fault {
  /** `syntax/<name>`, kebab-case. */
  readonly code: string
  /** The problem; never repeats a secret. */
  readonly message: string
  /** What to do about it. */
  readonly hint: string
  readonly span: Span
}

/** Finds the source of a part of a value, or of its key; a missing part resolves to its nearest existing ancestor. */
export type Locate = (path: Path, part?: 'value' | 'key') => Span

/** The result of parsing a text. */
export interface Reading {
  /** The value; with faults, what could be recovered (for recognition only), else `undefined`. */
  readonly value: unknown
  readonly faults: readonly Fault[]
  /** Does no work before its first call. */
  readonly locate: Locate
}

/** A text with its value and the source range of every part; a block inside Markdown is a separate document. */
export interface Document extends Reading {
  readonly format: Format
  /** The whole file, or the block. */
  readonly text: string
  /** One-based line of the opening fence, for a block inside Markdown. */
  readonly line?: number
  /** The outline, for a Markdown document. */
  readonly markdown?: Markdown
  /** A hint for a missing part, such as where it is instead. */
  absent?(path: Path): string | undefined
  /** Converts a span of `text` to a range in the file. */
  range(span: Span): Range
}

/** The documents of one file: the whole text and, in Markdown, every JSON or YAML block. */
export interface Documents {
  readonly documents: readonly Document[]
  /** Number of blocks skipped because of a `waybill-ignore` comment. */
  readonly ignored: number
}
