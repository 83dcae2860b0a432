import { type Document, type Markdown, readMarkdown, type Span } from '../../document/index.ts'
import { type HandoffPlace, sectionsOfNote } from '../handoff-place.ts'
import { type Block, findBlocks } from './next-steps.ts'
import { NEXT_STEPS, OPEN_LOOPS } from './sections.ts'

/** An open item of a handoff document. */
export interface OpenItem {
  /** The title of the section. */
  readonly section: string
  /** Markdown without the list marker. */
  readonly text: string
  /** The item is ticked. */
  readonly done: boolean
}

const MARKER = /^[ \t]*(?:[-+*]|[0-9]{1,9}[.)])(?:[ \t]+|(?![\s\S]))/
const TICK = /^\[([ xX])\](?:[ \t]+|(?![\s\S]))/
const OPEN_BOX = /^[ \t]*(?:[-+*]|[0-9]{1,9}[.)])[ \t]+\[ \]/
const LINE_END = /\r\n|\n|\r/
/** An item that is nested deeper counts as open, whatever is ticked in it. */
const DEEPEST = 20
const BREAK = /^(?:(?:-[ \t]*){3,}|(?:\*[ \t]*){3,}|(?:_[ \t]*){3,})$/
const HEADING = /^#{1,6}(?:[ \t]|$)/
/** Phrases that mean "nothing"; any other word may name an item. */
const NOTHING =
  /^[*_]{0,2}(?:none|nothing|no|n\/a)(?:[ ,;]{1,2}(?:all|and|at|blocked|deferred|done|else|everything|finished|for|further|has|have|is|issues?|items?|known|left|loops?|merged|moment|more|now|open|or|other|outstanding|pending|points?|questions?|remains?|report|so|far|steps?|tasks?|the|this|to|was|were|work|yet))*[.!]?[*_]{0,2}$/i

/**
 * The open items of a handoff document or note: its open loops, then its next steps, in text order.
 *
 * The sections of a note count under the titles of a handoff document.
 * Each list item is one, and so is prose between lists, unless it only introduces the next block or means "nothing".
 * Ticked items are included, marked as done; open items below a ticked one follow it.
 */
export function openItems(document: Document, place: HandoffPlace = {}): OpenItem[] {
  const sections = document.markdown && sectionsOfNote(document.markdown, place)
  return (['open', 'next'] as const).flatMap(part => {
    const title = part === 'next' ? NEXT_STEPS : OPEN_LOOPS
    if (!sections) return itemsIn(document, title)
    const own = sections.filter(section => section.part === part)
    return own.flatMap(({ content }) => itemsWithin(document, content, title))
  })
}

/** The items of the sections with a title. */
function itemsIn(document: Document, title: string): OpenItem[] {
  return (document.markdown?.sections ?? [])
    .filter(section => section.level === 2 && section.title === title)
    .flatMap(({ content }) => itemsWithin(document, content, title))
}

function itemsWithin({ markdown, text }: Document, content: Span, title: string): OpenItem[] {
  if (!markdown) return []
  const hidden = hiddenIn(markdown)
  const comments = new Map(markdown.comments.map(({ start, end }) => [start, end]))
  const within = hidden.filter(h => h.start >= content.start && h.end <= content.end)
  const blocks = findBlocks(text, content, within).filter(b => !markdown.isBlank(b.span))
  const sources = blocks.map(block => textOf(text, block, comments))
  return blocks.flatMap((block, i) => {
    const source = sources[i] ?? ''
    const items = itemFrom(source, block, title, sources[i + 1])
    return items[0]?.done ? [...items, ...openWithin(source, block, title)] : items
  })
}

/** The fences and comments of a text in order. */
function hiddenIn({ fences, comments }: Markdown): Span[] {
  return [...fences.map(fence => fence.span), ...comments].sort((a, b) => a.start - b.start)
}

/** The items with an empty box inside an item, at any depth; those inside another open one are part of it. */
function openWithin(source: string, { column }: Block, section: string, depth = 1): OpenItem[] {
  const body = withoutMarker(source.split(LINE_END), column).join('\n')
  if (!body.includes('[ ]')) return []
  const inner = findBlocks(body, { start: 0, end: body.length }, hiddenIn(readMarkdown(body)))
  return inner.flatMap(block => {
    if (block.kind !== 'item') return []
    const nested = body.slice(block.span.start, block.span.end)
    return OPEN_BOX.test(nested) || depth === DEEPEST
      ? itemFrom(nested, block, section, undefined).map(item => ({ ...item, done: false }))
      : openWithin(nested, block, section, depth + 1)
  })
}

/** The text of a block, for prose without leading comments. */
function textOf(
  text: string,
  { kind, span }: Block,
  comments: ReadonlyMap<number, number>,
): string {
  let from = span.start
  for (let end = kind === 'prose' ? comments.get(from) : undefined; end; end = comments.get(from)) {
    from = end
    while (from < span.end && /\s/.test(text[from] ?? '')) from++
  }
  return text.slice(from, span.end)
}

/** The item in a block; none when it only introduces the next block or means "nothing". */
export function itemFrom(
  source: string,
  { kind, column }: Block,
  section: string,
  next: string | undefined,
): OpenItem[] {
  const lines = source.split(LINE_END)
  const body = kind === 'item' ? withoutMarker(lines, column) : lines
  const whole = (kind === 'prose' ? withoutHeading(body) : body).join('\n').trim()
  if (kind === 'prose' && (BREAK.test(whole) || introduces(whole, next))) return []
  const tick = kind === 'item' ? TICK.exec(whole) : null
  const text = whole.slice(tick?.[0].length ?? 0).trim()
  if (text === '' || NOTHING.test(text)) return []
  return [{ section, text, done: tick !== null && tick[1] !== ' ' }]
}

/** Removes headings above text; headings alone stay. */
function withoutHeading(lines: readonly string[]): readonly string[] {
  const first = lines.findIndex(line => !HEADING.test(line))
  return first > 0 ? lines.slice(first) : lines
}

/** Whether a line only introduces the next block; without a next block, it is an item. */
function introduces(text: string, next: string | undefined): boolean {
  if (next === undefined || text.includes('\n')) return false
  return HEADING.test(text) ? !HEADING.test(next) : text.endsWith(':')
}

/** The lines of an item without its indentation. */
function withoutMarker([first = '', ...rest]: readonly string[], column: number): string[] {
  if (rest.length === 0) return [first.replace(MARKER, '')]
  const indentation = new RegExp(`^[ \\t]{0,${Math.min(column, 200)}}`)
  return [first.replace(MARKER, ''), ...rest.map(line => line.replace(indentation, ''))]
}
