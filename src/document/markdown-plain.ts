import type { Blocks, Leaf, TopHeading } from './markdown-blocks.ts'
import { isSpace, PlainText, trimmedEnd } from './markdown-plain-text.ts'

const TAB = 0x09
const SPACE = 0x20
const HASH = 0x23
const STAR = 0x2a
const PLUS = 0x2b
const HYPHEN = 0x2d
const DOT = 0x2e
const PARENTHESIS = 0x29
const ZERO = 0x30
const NINE = 0x39
const ANGLE = 0x3c
const BRACKET = 0x5b
const UNDERSCORE = 0x5f
const BACKTICK = 0x60
const TILDE = 0x7e

/** Maximum nesting of list items, well below the limit of the parser. */
const MOST_ITEMS = 8

/** Characters that may begin something other than text at the start of a line. */
const MARKS = Uint8Array.from({ length: 128 }, (_, code) =>
  '\t#>`~<-*+_=[0123456789'.includes(String.fromCharCode(code)) ? 1 : 0,
)

/**
 * Parses the blocks of plain Markdown exactly as the parser does, looking only at the start of each line, or gives up.
 *
 * Plain are headings, rules, fences and comments at the start of a line, and paragraphs and lists of them. Quotes,
 * other HTML, link definitions, underlined headings, tabs, and list items with other content need the parser.
 */
export function readPlainBlocks(normal: string): Blocks | undefined {
  const reader = new PlainReader(normal)
  return reader.readAll() ? { ...reader.found, references: undefined } : undefined
}

/** Every parsing method returns whether its input is plain. */
class PlainReader {
  readonly found = { leaves: [] as Leaf[], headings: [] as TopHeading[] }
  private readonly text: string
  /** The current line. */
  private line = 0
  private start = 0
  private end = 0
  /** The content columns of the open list items, innermost last; `own` is the item's own, or 0. */
  private readonly items: number[] = []
  private indent = 0
  private paragraph: PlainText | undefined
  /** The offset of the next `]:` that may define a link. */
  private definition = -1

  constructor(text: string) {
    this.text = text
  }

  readAll(): boolean {
    // The parser ignores white space after the last line end.
    if (this.text.endsWith(' ')) return false
    while (this.start < this.text.length) {
      this.end = this.lineEnd(this.start)
      if (!this.readLine()) return false
      this.start = this.end + 1
      this.line++
    }
    return true
  }

  private readLine(): boolean {
    const { text, start, end } = this
    let at = start
    while (text.charCodeAt(at) === SPACE) at++
    if (at === end) {
      this.paragraph = undefined
      return true
    }
    const column = at - start
    const code = text.charCodeAt(at)
    // A tab may be followed by nothing, making a blank line.
    const carriesOn = this.paragraph !== undefined && column >= this.indent + 4 && code !== TAB
    return carriesOn || code >= 128 || MARKS[code] === 0
      ? this.readText(at, column)
      : this.readMarked(at, column, code)
  }

  private readMarked(at: number, column: number, code: number): boolean {
    switch (code) {
      case HASH:
        return column === 0 && this.readHeading()
      case ANGLE:
        return column === 0 && this.readComment()
      case BACKTICK:
      case TILDE:
        if (!this.isFence(at, code)) return this.readText(at, column)
        return column === 0 && this.readFence(code)
    }
    if (this.isText(at, code)) return this.readText(at, column)
    if (isDigit(code)) return this.readItem(at, column)
    if (code !== HYPHEN && code !== STAR && code !== PLUS && code !== UNDERSCORE) return false
    return this.isRuleLike(at, code)
      ? column === 0 && this.readRule(code)
      : this.readItem(at, column)
  }

  private readText(at: number, column: number): boolean {
    if (this.paragraph) {
      this.paragraph.end = this.end
    } else {
      this.leaveItems(column)
      if (column >= this.indent + 4) return false
      this.paragraph = new PlainText(this.text, at, this.end, this.line, this.indent)
      this.found.leaves.push(this.paragraph)
    }
    return !this.mayDefine(this.paragraph)
  }

  /** Whether a link definition may begin the paragraph that ends with this line so far. */
  private mayDefine({ start, end }: PlainText): boolean {
    if (this.text.charCodeAt(start) !== BRACKET) return false
    if (this.definition < start) {
      const next = this.text.indexOf(']:', start)
      this.definition = next === -1 ? this.text.length : next
    }
    return this.definition < end
  }

  private readItem(at: number, column: number): boolean {
    const { text } = this
    const digits = this.digitsEnd(at) - at
    const marker = at + digits + 1
    let content = marker
    while (text.charCodeAt(content) === SPACE) content++
    const gap = content - marker
    if (gap === 0 || gap > 4 || content >= this.end || digits > 9) return false
    // Within a paragraph, a numbered item begins a list only with the number 1.
    if (this.paragraph && column >= this.indent && digits > 0 && text.slice(at, marker - 1) !== '1')
      return false
    this.leaveItems(column)
    if (column >= this.indent + 4 || this.items.length === MOST_ITEMS) return false
    if (!this.isText(content, text.charCodeAt(content))) return false
    this.indent = column + content - at
    this.items.push(this.indent)
    this.paragraph = undefined
    return this.readText(content, this.indent)
  }

  /** Closes the list items that do not contain a line with this start column. */
  private leaveItems(column: number): void {
    while (column < this.indent) {
      this.items.pop()
      this.indent = this.items.at(-1) ?? 0
    }
  }

  private leaveAll(): void {
    this.leaveItems(0)
    this.paragraph = undefined
  }

  private readHeading(): boolean {
    const { text, start, line } = this
    let content = start
    while (text.charCodeAt(content) === HASH) content++
    const level = content - start
    if (level > 6 || text.charCodeAt(content) !== SPACE) return false
    while (isSpace(text.charCodeAt(content))) content++
    const title = text.slice(content, trimmedEnd(text, content, this.end))
    // Trailing markers may belong to the heading or to its text.
    if (title === '' || title.endsWith('#')) return false
    this.leaveAll()
    const lines = [{ at: 0, source: content, padding: 0 }]
    const leaf: Leaf = { kind: 'text', content: title, lines, info: '', line, start, end: this.end }
    this.found.leaves.push(leaf)
    const next = Math.min(this.end + 1, text.length)
    this.found.headings.push({
      level,
      title,
      start,
      end: this.end,
      lineStart: start,
      next,
    })
    return true
  }

  /** A rule may also be a heading underline. */
  private readRule(mark: number): boolean {
    if (this.paragraph) return false
    let marks = 0
    for (let at = this.start; at < this.end; at++) if (this.text.charCodeAt(at) === mark) marks++
    if (marks < 3 || mark === PLUS) return false
    this.leaveAll()
    return true
  }

  private readComment(): boolean {
    const { text, start, line } = this
    const close = text.startsWith('<!--', start) ? text.indexOf('-->', start) : -1
    if (close === -1) return false
    this.leaveAll()
    while (this.end < close) this.nextLine()
    const content = text.slice(start, this.end + 1)
    this.addRaw({ kind: 'html', content, info: '', line, start, end: this.end }, start)
    return true
  }

  private readFence(mark: number): boolean {
    const { text, start, line } = this
    const open = this.runEnd(start, mark)
    const info = text.slice(open, this.end)
    if (mark === BACKTICK && info.includes('`')) return false
    this.leaveAll()
    const from = this.end + 1
    do {
      if (this.end >= text.length) return false
      this.nextLine()
    } while (!this.closesFence(mark, open - start))
    const content = text.slice(from, this.start)
    this.addRaw({ kind: 'fence', content, info, line, start, end: this.end }, from)
    return true
  }

  private closesFence(mark: number, length: number): boolean {
    let at = this.start
    while (this.text.charCodeAt(at) === SPACE) at++
    const end = this.runEnd(at, mark)
    if (at - this.start > 3 || end - at < length) return false
    return trimmedEnd(this.text, end, this.end) === end
  }

  /** Adds a block whose content is contiguous in the source. */
  private addRaw(leaf: Omit<Leaf, 'lines'>, source: number): void {
    this.found.leaves.push({ ...leaf, lines: [{ at: 0, source, padding: 0 }] })
  }

  private nextLine(): void {
    this.start = this.end + 1
    this.end = this.lineEnd(this.start)
    this.line++
  }

  private lineEnd(from: number): number {
    const end = this.text.indexOf('\n', from)
    return end === -1 ? this.text.length : end
  }

  /** Whether a possible marker at the start of a line or item is certainly text. */
  private isText(at: number, code: number): boolean {
    if (code >= 128 || MARKS[code] === 0 || code === BRACKET) return true
    if (code === BACKTICK || code === TILDE) return !this.isFence(at, code)
    if (code === HYPHEN || code === STAR || code === PLUS)
      return !this.endsMark(at + 1) && !this.isRuleLike(at, code)
    if (code === UNDERSCORE) return !this.isRuleLike(at, code)
    if (!isDigit(code)) return false
    const end = this.digitsEnd(at)
    const after = this.text.charCodeAt(end)
    return (after !== DOT && after !== PARENTHESIS) || !this.endsMark(end + 1)
  }

  private endsMark(at: number): boolean {
    return at >= this.end || isSpace(this.text.charCodeAt(at))
  }

  private isFence(at: number, mark: number): boolean {
    return this.text.charCodeAt(at + 1) === mark && this.text.charCodeAt(at + 2) === mark
  }

  /** Whether a line consists of one repeated character. */
  private isRuleLike(from: number, mark: number): boolean {
    let at = from
    while (this.text.charCodeAt(at) === mark || isSpace(this.text.charCodeAt(at))) at++
    return at >= this.end
  }

  private digitsEnd(at: number): number {
    let end = at
    while (isDigit(this.text.charCodeAt(end))) end++
    return end
  }

  private runEnd(at: number, mark: number): number {
    let end = at
    while (this.text.charCodeAt(end) === mark) end++
    return end
  }
}

function isDigit(code: number): boolean {
  return code >= ZERO && code <= NINE
}
