import type { Span } from '../../document/index.ts'

const LINES = /[^\r\n]*(?:\r\n|\n|\r|(?![\s\S]))/g
const MARKER = /^(?:[-+*]|([0-9]{1,9})[.)])(?![^ \t])/
const THEMATIC_BREAK = /^(?:(?:-[ \t]*){3,}|(?:\*[ \t]*){3,}|(?:_[ \t]*){3,})$/
const BLOCK = /^(?:#{1,6}(?![^ \t])|>|```|~~~|<!--)/

interface List {
  items: number
  /** The column from which a line belongs to the current item; infinity for a quote. */
  column: number | undefined
  /** The item has only its marker so far. */
  bare: boolean
  /** A paragraph is open, so that any line of text continues it. */
  paragraph: boolean
}

/** A list item, or prose between lists. */
export interface Block {
  readonly kind: 'item' | 'prose'
  readonly span: Span
  /** The column of an item's text; 0 for prose. */
  readonly column: number
}

/**
 * Counts the list items in a section that are not inside a quote or another item, as CommonMark defines them.
 *
 * `hidden` lists fences and comments in order; they contain no items.
 */
export function countItems(text: string, section: Span, hidden: readonly Span[]): number {
  return findBlocks(text, section, hidden).filter(({ kind }) => kind === 'item').length
}

/** The list items of a section with their content, and the prose between them. */
export function findBlocks(text: string, section: Span, hidden: readonly Span[]): Block[] {
  const list: List = { items: 0, column: undefined, bare: false, paragraph: false }
  const blocks: Open[] = []
  let next = 0
  for (const { 0: line, index } of text.slice(section.start, section.end).matchAll(LINES)) {
    const at = section.start + index
    while ((hidden[next]?.end ?? at + 1) <= at) next += 1
    const start = hidden[next]?.start ?? at
    const before = list.items
    if (start < at) list.paragraph = false
    else readLine(list, line)
    const isOutside = start < at && !isInItem(list, line)
    note(blocks, list, { at, line, isNew: list.items > before, isOutside })
  }
  return blocks.map(({ kind, start, end, column }) => ({ kind, span: { start, end }, column }))
}

interface Open {
  readonly kind: Block['kind']
  readonly start: number
  readonly column: number
  end: number
  /** A blank line ended the item. */
  closed: boolean
}

interface Read {
  readonly at: number
  readonly line: string
  readonly isNew: boolean
  /** The line is in a fence or comment outside any item. */
  readonly isOutside: boolean
}

/** Adds a line to its block. */
function note(blocks: Open[], list: List, { at, line, isNew, isOutside }: Read): void {
  const last = blocks.at(-1)
  const end = at + line.trimEnd().length
  if (line.trim() === '') {
    if (last?.kind === 'prose' && !isOutside) last.closed = true
  } else if (isNew) {
    const column = list.column ?? 0
    blocks.push({ kind: 'item', start: at, end, column, closed: false })
  } else if (last?.kind === 'item' && !isOutside && isOpen(list)) last.end = end
  else if (last?.kind === 'prose' && !last.closed) last.end = end
  else blocks.push({ kind: 'prose', start: at, end, column: 0, closed: false })
}

/** Items in a quote do not count. */
function isOpen({ column }: List): boolean {
  return column !== undefined && column !== Number.POSITIVE_INFINITY
}

function isInItem(list: List, line: string): boolean {
  return isOpen(list) && indentOf(line) >= (list.column ?? 0)
}

function readLine(list: List, line: string): void {
  const text = line.trim()
  const column = indentOf(line)
  if (text === '') {
    list.paragraph = false
    if (list.bare) list.column = undefined
  } else if (list.column !== undefined && column >= list.column) {
    list.bare = false
    // A line that is indented further continues a paragraph or is code.
    if (column < list.column + 4) list.paragraph = holdsParagraph(text)
  } else if (column < 4) readOutside(list, column, text)
  else leaveUnlessLazy(list, column)
}

function readOutside(list: List, column: number, text: string): void {
  const marker = THEMATIC_BREAK.test(text) ? null : MARKER.exec(text)
  if (marker && mayBegin(list, marker, text)) beginItem(list, column, marker[0], text)
  else if (!isBlock(text)) leaveUnlessLazy(list, column)
  else {
    list.column = text.startsWith('>') ? Number.POSITIVE_INFINITY : undefined
    list.paragraph = text.startsWith('>') && holdsParagraph(text)
  }
}

/** Text outside the item continues an open paragraph; otherwise it ends the list. */
function leaveUnlessLazy(list: List, column: number): void {
  if (list.paragraph) return
  list.column = undefined
  list.paragraph = column < 4
}

/** Outside a list, only an item with text, and only the number 1, may interrupt a paragraph. */
function mayBegin(list: List, marker: RegExpExecArray, text: string): boolean {
  if (!list.paragraph || list.column !== undefined) return true
  return text.length > marker[0].length && (marker[1] === undefined || Number(marker[1]) === 1)
}

function beginItem(list: List, column: number, marker: string, text: string): void {
  const rest = text.slice(marker.length)
  const gap = indentOf(rest, column + marker.length)
  list.items += 1
  list.bare = rest === ''
  // More than four columns after the marker is code that begins one column after it.
  list.column = column + marker.length + (rest === '' || gap > 4 ? 1 : gap)
  list.paragraph = gap <= 4 && holdsParagraph(rest.trim())
}

/** The width in columns of leading white space that begins at a column. */
function indentOf(text: string, from = 0): number {
  let column = from
  for (const character of text) {
    if (character === '\t') column += 4 - (column % 4)
    else if (character === ' ') column += 1
    else break
  }
  return column - from
}

/** Whether a line inside an item is text, after the items and quotes that it opens. */
function holdsParagraph(text: string): boolean {
  let rest = text
  for (let mark = INNER.exec(rest); mark && !THEMATIC_BREAK.test(rest); mark = INNER.exec(rest)) {
    const after = rest.slice(mark[0].length)
    if (indentOf(after) > 4) return false
    rest = after.trimStart()
  }
  return rest !== '' && !isBlock(rest)
}

const INNER = /^(?:>|(?:[-+*]|[0-9]{1,9}[.)])(?![^ \t]))/

function isBlock(text: string): boolean {
  return BLOCK.test(text) || THEMATIC_BREAK.test(text)
}
