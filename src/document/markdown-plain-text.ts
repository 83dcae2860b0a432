import type { Leaf, LeafLine } from './markdown-blocks.ts'

const TAB = 0x09
const LINE_FEED = 0x0a
const SPACE = 0x20

/** A paragraph of plain Markdown, whose content is assembled on demand. */
export class PlainText implements Leaf {
  readonly kind = 'text'
  readonly info = ''
  readonly start: number
  end: number
  readonly line: number
  private readonly text: string
  /** Leading spaces of further lines that belong to the enclosing list items. */
  private readonly indent: number
  private known: { readonly content: string; readonly lines: readonly LeafLine[] } | undefined

  constructor(text: string, start: number, end: number, line: number, indent: number) {
    this.text = text
    this.start = start
    this.end = end
    this.line = line
    this.indent = indent
  }

  get content(): string {
    this.known ??= this.read()
    return this.known.content
  }

  get lines(): readonly LeafLine[] {
    this.known ??= this.read()
    return this.known.lines
  }

  private read() {
    const { text, indent } = this
    const end = trimmedEnd(text, this.start, this.end)
    const lines: LeafLine[] = [{ at: 0, source: this.start, padding: 0 }]
    let content = ''
    let source = this.start
    for (let next = 0; indent > 0; ) {
      next = text.indexOf('\n', source) + 1
      if (next === 0 || next > end) break
      content += text.slice(source, next)
      source = next
      while (source < next + indent && text.charCodeAt(source) === SPACE) source++
      lines.push({ at: content.length, source, padding: 0 })
    }
    return { content: content + text.slice(source, end), lines }
  }
}

/** Whether the parser treats a character as white space within a line. */
export function isSpace(code: number): boolean {
  return code === SPACE || code === TAB
}

/** The end of a range without the white space that the parser trims. */
export function trimmedEnd(text: string, start: number, end: number): number {
  let at = end
  while (at > start && (isSpace(text.charCodeAt(at - 1)) || text.charCodeAt(at - 1) === LINE_FEED))
    at--
  return at
}
