import type { Span } from './document.ts'

/** A Markdown text prepared for the parser: frontmatter removed, line ends normalised, offsets traceable. */
export interface MarkdownSource {
  readonly frontmatter?: Span
  /** The first line opens a frontmatter that is never closed. */
  readonly frontmatterOpen: boolean
  readonly body: Span
  /** The body with every line end as `\n` and NUL as U+FFFD, as CommonMark requires. */
  readonly normal: string
  /** Maps an offset in `normal` to one in the original text. */
  toOriginal(offset: number): number
}

const FRONTMATTER_OPENING = /^\uFEFF?---[ \t]*(?=[\r\n])/
const FRONTMATTER_CLOSING = /(\r\n|\n|\r)---[ \t]*(?:\r\n|\n|\r|(?![\s\S]))/g
const LINE_END = /\r\n|\n|\r/g

/** Removes the frontmatter and normalises the rest; otherwise the frontmatter would parse as a setext heading. */
export function cutMarkdown(text: string): MarkdownSource {
  const cut = cutFrontmatter(text)
  const raw = text.slice(cut.body.start).replaceAll('\0', '\uFFFD')
  if (!raw.includes('\r')) {
    return { ...cut, normal: raw, toOriginal: offset => cut.body.start + offset }
  }
  const pairs: number[] = []
  const normal = raw.replaceAll(/\r\n?/g, (end, at: number) => {
    if (end.length === 2) pairs.push(at - pairs.length)
    return '\n'
  })
  return { ...cut, normal, toOriginal: o => cut.body.start + o + lowerBound(pairs, o, p => p) }
}

function cutFrontmatter(
  text: string,
): Pick<MarkdownSource, 'frontmatter' | 'frontmatterOpen' | 'body'> {
  const opening = FRONTMATTER_OPENING.exec(text)?.[0]
  const bodyStart = text.startsWith('\uFEFF') ? 1 : 0
  const body = { start: bodyStart, end: text.length }
  if (opening === undefined) return { frontmatterOpen: false, body }
  const lineEnd = text.startsWith('\r\n', opening.length) ? 2 : 1
  // Start at the end of the opening line, because the next line closes an empty frontmatter.
  FRONTMATTER_CLOSING.lastIndex = opening.length
  const closing = FRONTMATTER_CLOSING.exec(text)
  if (closing === null) return { frontmatterOpen: true, body }
  const [whole, before = ''] = closing
  return {
    frontmatter: { start: opening.length + lineEnd, end: closing.index + before.length },
    frontmatterOpen: false,
    body: { start: closing.index + whole.length, end: text.length },
  }
}

/** Counts the line ends of a text, so that lines of a part can be numbered within the whole. */
export function countLineEnds(text: string): number {
  return text.match(LINE_END)?.length ?? 0
}

/** The index of the first item in an ascending list whose position is at or after the offset. */
export function lowerBound<Item>(
  items: readonly Item[],
  offset: number,
  position: (item: Item) => number,
): number {
  let low = 0
  let high = items.length
  while (low < high) {
    const middle = (low + high) >>> 1
    const item = items[middle]
    if (item !== undefined && position(item) < offset) low = middle + 1
    else high = middle
  }
  return low
}
