/** Maximum nesting depth of objects and arrays. */
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
 * Counts the colons outside strings in a JSON text: the members of all objects, including duplicates.
 *
 * Returns -1 for a text that nests deeper than `MAX_DEPTH` before its first syntax error. This runs on every document,
 * so it makes no tokens and skips strings with `indexOf`.
 */
export function countColons(text: string): number {
  const length = text.length
  let colons = 0
  let depth = 0
  let at = 0
  while (at < length) {
    const c = text.charCodeAt(at++)
    // Most characters outside strings are white space.
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
 * Counts the colons of a JSON text that follow a quote and optional white space: never fewer than its members.
 *
 * A string that begins with a colon, or contains one after an escaped quote, adds to the count. So a count equal to the
 * members of the value is exact; other texts need `countColons`.
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

/** The offset after the closing quote of a string whose content begins at `start`. */
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
 * Rewrites the keys of a valid JSON text without unnecessary escapes, such as those of non-ASCII characters; returns
 * `undefined` if a key needs one.
 *
 * V8's `JSON.parse` may give a key with an escape another name: once any text contained the key `\\\\`, it can confuse
 * it with `\\n` (https://github.com/nodejs/node/issues/63785).
 */
export function withPlainKeys(text: string): string | undefined {
  let plain = ''
  let from = 0
  // The next backslash after a string is in another string, opened by the quote before it.
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

/** Whether a valid JSON text contains a lone surrogate, literal or escaped. */
export function holdsHalfCharacter(text: string): boolean {
  if (!text.isWellFormed()) return true
  if (!text.includes('\\ud') && !text.includes('\\uD')) return false
  for (let at = text.indexOf('\\'); at >= 0; at = text.indexOf('\\', at)) {
    const half = halfAt(text, at)
    if (half === LOW || (half === HIGH && halfAt(text, at + 6) !== LOW)) return true
    // An escaped character starts no other escape.
    at += half === HIGH ? 12 : 2
  }
  return false
}

/** Which half of a surrogate pair the escape at an offset is, if any. */
function halfAt(text: string, at: number): number | undefined {
  if (!text.startsWith('\\u', at)) return undefined
  const half = Number.parseInt(text.slice(at + 2, at + 6), 16) & 0xfc00
  return half === HIGH || half === LOW ? half : undefined
}

const HIGH = 0xd800
const LOW = 0xdc00

/**
 * Counts the members of all objects in a value from `JSON.parse`; `NaN` if a number is beyond ±2^53, or if it nests
 * deeper than `MAX_DEPTH`.
 *
 * Fewer members than colons means that a key is duplicated.
 */
export function countMembers(value: unknown, levels = MAX_DEPTH): number {
  if (typeof value === 'number') return Math.abs(value) <= Number.MAX_SAFE_INTEGER ? 0 : Number.NaN
  if (typeof value !== 'object' || value === null) return 0
  if (levels === 0) return Number.NaN
  let members = 0
  // Most parts are strings, and a call for each would dominate the time.
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
 * Returns the offset of the first bracket that nests deeper than `MAX_DEPTH` in a possibly invalid JSON text, or its
 * length.
 *
 * A recovering parser never nests deeper before that offset: strings end with their line, comments are skipped, and
 * only a matching bracket closes one.
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
