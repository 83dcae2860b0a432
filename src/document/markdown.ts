import type { Span } from './document.ts'
import { type Blocks, type Leaf, leafSource, readBlocks } from './markdown-blocks.ts'
import { decodeInfo, type Piece, readHtmlComments, readInline } from './markdown-inline.ts'
import { readPlainBlocks } from './markdown-plain.ts'
import { countLineEnds, cutMarkdown, lowerBound, type MarkdownSource } from './markdown-source.ts'

/** A heading of level 1 or 2 outside quotes and lists, with its content up to the next one. */
export interface Section {
  readonly level: 1 | 2
  /** The source of the heading's text, trimmed and unrendered, without its markers. */
  readonly title: string
  readonly heading: Span
  /** From the line after the heading to the next heading of level 1 or 2, or to the end. */
  readonly content: Span
}

/** A heading of any level outside quotes and lists. */
export interface Heading {
  /** From 1 to 6. */
  readonly level: number
  /** The source of the heading's text, trimmed and unrendered, without its markers. */
  readonly title: string
  readonly heading: Span
  /** From the line after the heading to the next one that was asked for, or to the end. */
  readonly content: Span
}

/** A fenced code block at any depth. */
export interface Fence {
  /** The first word after the opening fence, in lower case; `''` if there is none. */
  readonly info: string
  /** From the opening fence to the end of the closing one, without the last line end. */
  readonly span: Span
  /** The one-based line of the opening fence. */
  readonly line: number
  /** The content without indentation and quote markers; every line ends in `\n`. */
  readonly text: string
  /** Maps an offset in `text` to one in the file. */
  toSource(offset: number): number
}

/** A code span inside a paragraph or heading. */
export interface CodeSpan {
  /** The text between the backticks, by CommonMark: line ends are spaces, one space at both ends is removed. */
  readonly text: string
  /** The whole code span with its backticks. */
  readonly span: Span
}

/** The structure of a Markdown text; every offset is into the original text. */
export interface Markdown {
  /** The YAML between the lines `---` at the top. */
  readonly frontmatter?: { readonly text: string; readonly span: Span }
  /** The first line is `---`, but the frontmatter is never closed, so there is none. */
  readonly frontmatterOpen: boolean
  /** Everything after the frontmatter. */
  readonly body: Span
  readonly sections: readonly Section[]
  /** Finds the headings down to a level. */
  headings(deepest: number): readonly Heading[]
  /** The closed HTML comments outside code. */
  readonly comments: readonly Span[]
  /** Unclosed comments at the start of a line: they hide headings to the end of their quote, list item or document. */
  readonly unclosedComments: readonly Span[]
  readonly fences: readonly Fence[]
  /** The first line nested in more than 16 lists or 32 quotes; later content may be missing. */
  readonly tooDeep?: Span
  /** Finds the code spans inside a range; does no work before its first call. */
  codeSpans(within: Span): readonly CodeSpan[]
  /** Whether a range, such as a section's content, has only blank lines, thematic breaks and comments. */
  isBlank(within: Span): boolean
}

interface Reader {
  readonly source: MarkdownSource
  readonly blocks: Blocks
  /** Results for the leaves examined so far. */
  readonly pieces: Map<Leaf, readonly Piece[]>
}

/** Parses a Markdown text with optional YAML frontmatter by CommonMark; never throws. */
export function readMarkdown(text: string): Markdown {
  const source = cutMarkdown(text)
  const blocks = readPlainBlocks(source.normal) ?? readBlocks(source.normal)
  const reader: Reader = { source, blocks, pieces: new Map() }
  const { frontmatter, frontmatterOpen, body } = source
  const { tooDeep } = blocks
  return {
    ...(frontmatter && {
      frontmatter: { text: text.slice(frontmatter.start, frontmatter.end), span: frontmatter },
    }),
    frontmatterOpen,
    body,
    sections: readHeadings(reader, 2).map(section => ({
      ...section,
      level: section.level === 1 ? 1 : 2,
    })),
    headings: deepest => readHeadings(reader, deepest),
    ...readComments(reader),
    fences: readFences(reader, countLineEnds(text.slice(0, body.start))),
    ...(tooDeep && { tooDeep: originalSpan(source, tooDeep) }),
    codeSpans: within => findCodeSpans(reader, within),
    isBlank: within => !leavesWithin(reader, within).some(leaf => hasContent(reader, leaf)),
  }
}

function readHeadings({ source, blocks }: Reader, deepest: number): Heading[] {
  const headings = blocks.headings.filter(({ level }) => level <= deepest)
  return headings.map((heading, index) => {
    const end = headings[index + 1]?.lineStart ?? source.normal.length
    return {
      level: heading.level,
      title: heading.title,
      heading: originalSpan(source, heading),
      content: originalSpan(source, { start: heading.next, end }),
    }
  })
}

function readComments(reader: Reader): Pick<Markdown, 'comments' | 'unclosedComments'> {
  const { source, blocks } = reader
  const comments: Span[] = []
  const unclosedComments: Span[] = []
  // Most texts have few comments, so few leaves need examination.
  for (let at = source.normal.indexOf('<!--'); at !== -1; ) {
    const leaf = blocks.leaves[lowerBound(blocks.leaves, at + 1, leaf => leaf.end)]
    if (leaf === undefined) break
    if (leaf.start <= at && mayHoldComment(leaf)) {
      const found = piecesOf(reader, leaf).filter(piece => piece.kind === 'comment')
      for (const piece of found) comments.push(pieceSpan(reader, leaf, piece))
      if (isUnclosedComment(reader, leaf)) unclosedComments.push(originalSpan(source, leaf))
    }
    at = source.normal.indexOf('<!--', leaf.start > at ? leaf.start : leaf.end)
  }
  return { comments, unclosedComments }
}

function readFences({ source, blocks }: Reader, linesBefore: number): Fence[] {
  return blocks.leaves
    .filter(leaf => leaf.kind === 'fence')
    .map(leaf => ({
      info: decodeInfo(leaf.info).trim().split(/\s/, 1)[0]?.toLowerCase() ?? '',
      span: originalSpan(source, leaf),
      line: linesBefore + leaf.line + 1,
      text: leaf.content,
      toSource: offset => source.toOriginal(leafSource(leaf, offset)),
    }))
}

function findCodeSpans(reader: Reader, within: Span): CodeSpan[] {
  const found: CodeSpan[] = []
  for (const leaf of leavesWithin(reader, within)) {
    if (leaf.kind !== 'text' || !leaf.content.includes('`')) continue
    for (const piece of piecesOf(reader, leaf)) {
      if (piece.kind !== 'code') continue
      const span = pieceSpan(reader, leaf, piece)
      if (span.start >= within.start && span.end <= within.end)
        found.push({ text: piece.text, span })
    }
  }
  return found
}

function leavesWithin({ source, blocks }: Reader, within: Span): readonly Leaf[] {
  const { leaves } = blocks
  const first = lowerBound(leaves, within.start + 1, leaf => source.toOriginal(leaf.end))
  const after = lowerBound(leaves, within.end, leaf => source.toOriginal(leaf.start))
  return leaves.slice(first, after)
}

function hasContent(reader: Reader, leaf: Leaf): boolean {
  if (leaf.kind === 'code') return true
  if (!mayHoldComment(leaf)) return isSeen(leaf.content)
  if (isUnclosedComment(reader, leaf)) return false
  const comments = piecesOf(reader, leaf).filter(piece => piece.kind === 'comment')
  const starts = [0, ...comments.map(comment => comment.end)]
  return starts.some((start, index) => isSeen(leaf.content.slice(start, comments[index]?.start)))
}

/** Invisible content: spaces of every kind, also as an entity, and zero-width characters. */
const UNSEEN = /[\s\p{Default_Ignorable_Code_Point}]+|&(?:nbsp|#160|#xa0);/giu

/** Whether a text has visible content. */
function isSeen(text: string): boolean {
  return /^\s*[!-%'-~]/.test(text) || text.replace(UNSEEN, '') !== ''
}

function isUnclosedComment(reader: Reader, leaf: Leaf): boolean {
  if (leaf.kind !== 'html') return false
  const opening = leaf.content.length - leaf.content.trimStart().length
  if (!leaf.content.startsWith('<!--', opening)) return false
  return !piecesOf(reader, leaf).some(piece => piece.start === opening)
}

function mayHoldComment(leaf: Leaf): boolean {
  return (leaf.kind === 'text' || leaf.kind === 'html') && leaf.content.includes('<!--')
}

function piecesOf(reader: Reader, leaf: Leaf): readonly Piece[] {
  const known = reader.pieces.get(leaf)
  if (known) return known
  const { content, kind } = leaf
  const pieces =
    kind === 'html' ? readHtmlComments(content) : readInline(content, reader.blocks.references)
  reader.pieces.set(leaf, pieces)
  return pieces
}

function pieceSpan({ source }: Reader, leaf: Leaf, piece: Span): Span {
  const start = leafSource(leaf, piece.start)
  return originalSpan(source, { start, end: leafSource(leaf, piece.end) })
}

function originalSpan(source: MarkdownSource, span: Span): Span {
  return { start: source.toOriginal(span.start), end: source.toOriginal(span.end) }
}
