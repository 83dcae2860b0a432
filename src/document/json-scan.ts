/** How many objects and arrays may stand inside each other. */
export const MAX_DEPTH = 100

const SPACE = 32
const QUOTE = 34
const COLON = 58
const OPEN_BRACKET = 91
const BACKSLASH = 92
const CLOSE_BRACKET = 93
const OPEN_BRACE = 123
const CLOSE_BRACE = 125

/**
 * Counts the colons outside the strings of a JSON text: the members of all its objects, duplicates included.
 *
 * Gives -1 for a text that nests deeper than `MAX_DEPTH` before its first syntax error. This runs over every document,
 * so it makes no token and leaves the strings to `indexOf`.
 */
export function countColons(text: string): number {
  const length = text.length
  let colons = 0
  let depth = 0
  let at = 0
  while (at < length) {
    const c = text.charCodeAt(at++)
    // White space is most of what stands outside strings.
    if (c < QUOTE) continue
    switch (c) {
      case QUOTE:
        at = endOfString(text, at)
        break
      case COLON:
        colons++
        break
      case OPEN_BRACE:
      case OPEN_BRACKET:
        if (++depth > MAX_DEPTH) return -1
        break
      case CLOSE_BRACE:
      case CLOSE_BRACKET:
        depth--
    }
  }
  return colons
}

/**
 * Counts the colons of a JSON text that follow a quote, white space aside: never fewer than its members.
 *
 * A string that begins with a colon, or holds one behind an escaped quote, makes it more, so what agrees with the
 * members of the value is exact; the other texts are left to `countColons`, which looks at every part.
 */
export function countKeys(text: string): number {
  let keys = 0
  for (let colon = text.indexOf(':'); colon >= 0; colon = text.indexOf(':', colon + 1)) {
    let before = colon - 1
    while (text.charCodeAt(before) <= SPACE) before--
    if (text.charCodeAt(before) === QUOTE) keys++
  }
  return keys
}

/** The offset behind the closing quote of a string whose content begins at `start`. */
export function endOfString(text: string, start: number): number {
  let quote = text.indexOf('"', start)
  while (quote >= 0 && isEscaped(text, start, quote)) quote = text.indexOf('"', quote + 1)
  return quote < 0 ? text.length : quote + 1
}

function isEscaped(text: string, start: number, quote: number): boolean {
  let first = quote
  while (first > start && text.charCodeAt(first - 1) === BACKSLASH) first--
  return (quote - first) % 2 === 1
}

/**
 * Writes the keys of a valid JSON text without the escapes that they do not need, as most that are not ASCII have them;
 * gives `undefined` for a text with a key that needs one.
 *
 * V8's `JSON.parse` may give a key with an escape another name: once any text has held the key `\\\\`, it can take a key
 * such as `\\n` for it (https://github.com/nodejs/node/issues/63785).
 */
export function withPlainKeys(text: string): string | undefined {
  let plain = ''
  let from = 0
  // The first backslash behind a string stands in the next one, and the quote before it opens that.
  for (let at = text.indexOf('\\'); at >= 0; at = text.indexOf('\\', at)) {
    const start = text.lastIndexOf('"', at)
    at = endOfString(text, at)
    COLON_NEXT.lastIndex = at
    if (!COLON_NEXT.test(text)) continue
    const key = JSON.stringify(JSON.parse(text.slice(start, at)))
    if (key.includes('\\')) return undefined
    plain += text.slice(from, start) + key
    from = at
  }
  return from === 0 ? text : plain + text.slice(from)
}

const COLON_NEXT = /\s*:/y

/** Tells whether a valid JSON text holds half of a surrogate pair, as it stands or as an escape. */
export function holdsHalfCharacter(text: string): boolean {
  if (!text.isWellFormed()) return true
  if (!text.includes('\\ud') && !text.includes('\\uD')) return false
  for (let at = text.indexOf('\\'); at >= 0; at = text.indexOf('\\', at)) {
    const half = halfAt(text, at)
    if (half === LOW || (half === HIGH && halfAt(text, at + 6) !== LOW)) return true
    // What an escape escapes begins no other.
    at += half === HIGH ? 12 : 2
  }
  return false
}

/** Which half of a pair the escape at an offset stands for, if there is one that does. */
function halfAt(text: string, at: number): number | undefined {
  if (!text.startsWith('\\u', at)) return undefined
  const half = Number.parseInt(text.slice(at + 2, at + 6), 16) & 0xfc00
  return half === HIGH || half === LOW ? half : undefined
}

const HIGH = 0xd800
const LOW = 0xdc00

/**
 * Counts the members of all objects in a value that came from `JSON.parse`; `NaN` if a number in it is beyond ±2^53, or
 * if it is nested deeper than `MAX_DEPTH`.
 *
 * Fewer members than colons means that a key was given twice, somewhere.
 */
export function countMembers(value: unknown, levels = MAX_DEPTH): number {
  if (typeof value === 'number') return Math.abs(value) <= Number.MAX_SAFE_INTEGER ? 0 : Number.NaN
  if (typeof value !== 'object' || value === null) return 0
  if (levels === 0) return Number.NaN
  let members = 0
  // Most parts are texts, and a call for each would take longer than all else here.
  if (Array.isArray(value)) {
    for (const item of value)
      if (typeof item !== 'string') members += countMembers(item, levels - 1)
    return members
  }
  // Keys that other code added to Object.prototype only lead to the slow path.
  for (const key in value) {
    const part = (value as Record<string, unknown>)[key]
    members += typeof part === 'string' ? 1 : 1 + countMembers(part, levels - 1)
  }
  return members
}

/**
 * Finds the first bracket that opens deeper than `MAX_DEPTH` in a text that may be broken JSON, or gives its length.
 *
 * Up to there a recovering parser never nests deeper: strings end with their line, comments are passed over, and only
 * the fitting bracket closes one.
 */
export function endOfDepth(text: string): number {
  const closing: string[] = []
  for (const { index, 0: token } of text.matchAll(TOKEN)) {
    if (token === '{' || token === '[') {
      if (closing.length === MAX_DEPTH) return index
      closing.push(token === '{' ? '}' : ']')
    } else if (closing.at(-1) === token) closing.pop()
  }
  return text.length
}

const STRING = String.raw`"[^"\\\r\n]*(?:\\[^][^"\\\r\n]*)*"?`
const LINE_COMMENT = String.raw`\/\/[^\r\n]*`
const BLOCK_COMMENT = String.raw`\/\*[^*]*(?:\*(?!\/)[^*]*)*(?:\*\/)?`
const TOKEN = new RegExp(`${STRING}|${LINE_COMMENT}|${BLOCK_COMMENT}|[{}[\\]]`, 'g')
