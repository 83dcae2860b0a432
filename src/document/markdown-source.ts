import type { Span } from './document.ts'

/** A Markdown text taken apart for the parser: frontmatter cut off, line ends made equal, every offset traceable. */
export interface MarkdownSource {
  readonly frontmatter?: Span
  /** The first line opens a frontmatter that no line closes. */
  readonly frontmatterOpen: boolean
  readonly body: Span
  /** The body with every line end as `\n` and NUL as U+FFFD, as CommonMark asks. */
  readonly normal: string
  /** Leads from an offset into `normal` to the offset into the original text. */
  toOriginal(offset: number): number
}

const FRONTMATTER_OPENING = /^\uFEFF?---[ \t]*(?=[\r\n])/
const FRONTMATTER_CLOSING = /(\r\n|\n|\r)---[ \t]*(?:\r\n|\n|\r|(?![\s\S]))/g
const LINE_END = /\r\n|\n|\r/g

/** Cuts the frontmatter off and normalises the rest; an uncut frontmatter would read as a setext heading. */
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
  // The search begins at the end of the opening line, because an empty frontmatter is closed by the very next one.
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

/** Counts the line ends of a text, so that lines of a part can be numbered as lines of the whole. */
export function countLineEnds(text: string): number {
  return text.match(LINE_END)?.length ?? 0
}

/** Finds, in a list in ascending order, the index of the first item whose position is not below the offset. */
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
