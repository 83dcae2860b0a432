/**
 * Parsing of texts, with source positions.
 *
 * Parses JSON, YAML, Markdown with frontmatter, and fenced blocks in Markdown into a `Document`: the text, its value,
 * and the source range of every part. Positions are computed lazily. Syntax errors and ambiguities (duplicate keys,
 * unsafe integers, lone surrogates) are collected as faults.
 *
 * Must not know a contract, read files, or throw on bad text.
 */
export { type Change, type Json, withChange } from './change.ts'
export { type Decoded, decode, decoded, formatOf, MOST_BYTES, tooLarge } from './decode.ts'
export type {
  Document,
  Format,
  Locate,
  Path,
  Position,
  Range,
  Span,
} from './document.ts'
export { editDocument } from './edit.ts'
export { findHiddenText } from './hidden-text.ts'
export {
  formatAge,
  formatDuration,
  formatInstant,
  LOOSE_TIMESTAMP_PATTERN,
  parseInstant,
  standardTimestamp,
  TIMESTAMP_PATTERN,
} from './instant.ts'
export { type Heading, type Markdown, readMarkdown } from './markdown.ts'
export { countLineEnds } from './markdown-source.ts'
export { formatPointer, maskedPointer, parsePointer } from './pointer.ts'
export { lineIndex } from './position.ts'
export { readDocuments } from './read.ts'
export { findSecrets, maskSecrets } from './secrets.ts'
export { formatYaml } from './yaml-format.ts'
