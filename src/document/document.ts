import type { Markdown } from './markdown.ts'

/** A place inside a value: object keys and array indexes from the root down. */
export type Path = readonly (string | number)[]

/** Where something stands in a text: zero-based line and UTF-16 character, as in the Language Server Protocol. */
export interface Position {
  readonly line: number
  readonly character: number
}

/** A stretch of text from `start` up to, not including, `end`. */
export interface Range {
  readonly start: Position
  readonly end: Position
}

/** A stretch of text as offsets in UTF-16 units, end excluded. */
export interface Span {
  readonly start: number
  readonly end: number
}

/** How the text of a document is written. */
export type Format = 'json' | 'yaml' | 'markdown'

/** Something that makes a text unreadable, or readable in two ways. Collected, never thrown. */
export interface Fault {
  /** `syntax/<name>`, kebab-case. */
  readonly code: string
  /** What is wrong; never repeats a secret. */
  readonly message: string
  /** What to do about it. */
  readonly hint: string
  readonly span: Span
}

/** Finds the source of a part of a value: of the value itself, or of its key where it has one. A part that is not there resolves to its nearest existing ancestor. */
export type Locate = (path: Path, part?: 'value' | 'key') => Span

/** What came of reading one text. */
export interface Reading {
  /** The value; with faults, whatever could be recovered (for recognition only), else `undefined`. */
  readonly value: unknown
  readonly faults: readonly Fault[]
  /** Costs nothing until it is called for the first time. */
  readonly locate: Locate
}

/** A text with its value and the source range of every part; a block inside Markdown is a document of its own. */
export interface Document extends Reading {
  readonly format: Format
  /** Its own text: the whole file's, or the block's. */
  readonly text: string
  /** One-based line of the opening fence, for a block inside Markdown. */
  readonly line?: number
  /** The outline, for a Markdown document. */
  readonly markdown?: Markdown
  /** What is known of a part that is not there, such as where it stands instead; nothing where nothing is. */
  absent?(path: Path): string | undefined
  /** Where a stretch of `text` stands in the file. */
  range(span: Span): Range
}

/** The documents of one file: the whole text and, for Markdown, every JSON or YAML block in it. */
export interface Documents {
  readonly documents: readonly Document[]
  /** Blocks passed over because of a `waybill-ignore` comment. */
  readonly ignored: number
}
