import { endOfString } from './json-scan.ts'
import type { ScalarNode } from './source-tree.ts'
import { plainScalar } from './yaml-core.ts'
import type { YamlParts } from './yaml-parts.ts'

export const LINE_END = 10
export const SPACE = 32
export const HASH = 35
export const DASH = 45
export const COLON = 58
const QUOTE = 34
const APOSTROPHE = 39
const NINE = 57
const TILDE = 126

/** Characters that cannot begin a plain scalar; a dash can, before most characters. */
const INDICATORS = new Uint8Array(128)
for (const indicator of '?:,[]{}#&*!|>\'"%@`') INDICATORS[indicator.charCodeAt(0)] = 1

/** Characters after a backslash whose escape means the same in JSON and YAML. */
const SHARED_ESCAPES = '"\\/bfnrt'

/** A scalar value. */
type Scalar = ScalarNode['value']

/**
 * A position in a YAML text of printable characters, spaces and `\n` only, with methods to read one-line scalars.
 *
 * When uncertain it gives up: it moves to the last line end, where nothing more can be read.
 */
export class YamlCursor {
  readonly text: string
  /** Collects the positions of all parts, if wanted. */
  readonly parts: YamlParts | undefined
  at = 0
  lineStart = 0
  /** Column of the first character of the line; -1 at the end of the text. */
  column = -1
  hasGivenUp = false
  /** The first backslash after the last double-quoted scalar; -1 if there is none. */
  #backslash: number
  /** The end of the last plain scalar, without trailing spaces. */
  #end = 0

  /** The text ends with a line end. */
  constructor(text: string, parts?: YamlParts) {
    this.text = text
    this.parts = parts
    this.#backslash = text.indexOf('\\')
  }

  giveUp(): undefined {
    this.hasGivenUp = true
    this.at = this.text.length - 1
    this.column = -1
  }

  /** Moves to the first line from `start` on with more than spaces and a comment. */
  toLine(start: number): void {
    const { text } = this
    let first = start
    while (first < text.length) {
      let at = first
      while (text.charCodeAt(at) === SPACE) at++
      const c = text.charCodeAt(at)
      if (c !== LINE_END && c !== HASH) {
        this.at = at
        this.lineStart = first
        this.column = at - first
        return
      }
      first = text.indexOf('\n', at) + 1
    }
    this.column = -1
  }

  /** Moves past the line, which may contain only a comment from here on. */
  endLine(): void {
    const c = this.skipSpaces()
    if (c === LINE_END) this.toLine(this.at + 1)
    else if (c === HASH && this.text.charCodeAt(this.at - 1) === SPACE)
      this.toLine(this.text.indexOf('\n', this.at) + 1)
    else this.giveUp()
  }

  /** Moves to the next character that is not a space, and returns it. */
  skipSpaces(): number {
    const { text } = this
    let { at } = this
    let c = text.charCodeAt(at)
    while (c === SPACE) c = text.charCodeAt(++at)
    this.at = at
    return c
  }

  /** Moves past the colon of a key, which a space or line end must follow. */
  skipColon(): void {
    const { text, at } = this
    const next = text.charCodeAt(at + 1)
    if (text.charCodeAt(at) === COLON && (next === SPACE || next === LINE_END)) this.at = at + 1
    else this.giveUp()
  }

  /** Reads a scalar; a plain one ends before a colon or comment and, in brackets, before a separator. */
  scalar(inBrackets: boolean): Scalar | undefined {
    const start = this.at
    const first = this.text.charCodeAt(start)
    const isQuoted = first === QUOTE || first === APOSTROPHE
    const value = isQuoted ? this.#quoted(first) : this.#unquoted(first, inBrackets)
    if (this.parts && value !== undefined) {
      this.parts.addScalar(value, { start, end: isQuoted ? this.at : this.#end })
    }
    return value
  }

  #quoted(quote: number): string | undefined {
    return quote === QUOTE ? this.#doubleQuoted() : this.#singleQuoted()
  }

  #unquoted(first: number, inBrackets: boolean): Scalar | undefined {
    // A dash alone is not a scalar.
    const decisive = first === DASH ? this.text.charCodeAt(this.at + 1) : first
    if (decisive <= SPACE || INDICATORS[decisive] === 1) return this.giveUp()
    return this.#resolved(this.#plain(inBrackets), first)
  }

  #plain(inBrackets: boolean): string {
    const { text, at: start } = this
    let at = start
    let end = start
    for (;;) {
      const c = text.charCodeAt(at)
      if (c === LINE_END || (inBrackets && isFlowMark(c))) break
      if (c === COLON && endsKey(text.charCodeAt(at + 1), inBrackets)) break
      if (c === HASH && text.charCodeAt(at - 1) === SPACE) break
      at++
      if (c !== SPACE) end = at
    }
    this.at = at
    this.#end = end
    return text.slice(start, end)
  }

  #resolved(source: string, first: number): Scalar | undefined {
    if (!mayBeNoString(first)) return source
    const value = plainScalar(source)
    return value === undefined ? this.giveUp() : value
  }

  #doubleQuoted(): string | undefined {
    const { text, at } = this
    const end = text.indexOf('"', at + 1)
    if (this.#backslash >= 0 && this.#backslash < at) this.#backslash = text.indexOf('\\', at)
    if (this.#backslash >= 0 && this.#backslash < end) return this.#escaped()
    return this.#unescaped(at + 1, end)
  }

  #escaped(): string | undefined {
    const { text, at } = this
    const end = endOfString(text, at + 1)
    const json = text.slice(at, end)
    if (!json.endsWith('"') || json.includes('\n')) return this.giveUp()
    for (let slash = json.indexOf('\\'); slash >= 0; slash = json.indexOf('\\', slash + 2)) {
      if (!SHARED_ESCAPES.includes(json.charAt(slash + 1))) return this.giveUp()
    }
    this.at = end
    return JSON.parse(json) as string
  }

  #singleQuoted(): string | undefined {
    const { text, at } = this
    let end = text.indexOf("'", at + 1)
    if (text.charCodeAt(end + 1) !== APOSTROPHE) return this.#unescaped(at + 1, end)
    while (end >= 0 && text.charCodeAt(end + 1) === APOSTROPHE) end = text.indexOf("'", end + 2)
    return this.#unescaped(at + 1, end)?.replaceAll("''", "'")
  }

  #unescaped(start: number, end: number): string | undefined {
    const value = this.text.slice(start, end)
    if (end < 0 || value.includes('\n')) return this.giveUp()
    this.at = end + 1
    return value
  }
}

/** `,`, `[`, `]`, `{` or `}`. */
function isFlowMark(c: number): boolean {
  return c === 44 || c === 91 || c === 93 || c === 123 || c === 125
}

/** Whether the colon before this character ends a key. */
function endsKey(next: number, inBrackets: boolean): boolean {
  return next === SPACE || next === LINE_END || (inBrackets && isFlowMark(next))
}

/** Whether a plain scalar that begins with this character may be a number, a boolean or null. */
function mayBeNoString(first: number): boolean {
  if (first <= NINE) return true
  const letter = first | 32
  return letter === 110 || letter === 116 || letter === 102 || first === TILDE
}
