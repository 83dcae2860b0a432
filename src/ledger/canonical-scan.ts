import { MAX_DEPTH } from './canonical.ts'

/** What stands for the end of a text that is not certainly canonical. */
const UNSURE = -1

/** Told of each member of an object, by the places of its key, with quotes, and of its value. */
export type MemberVisitor = (key: number, value: number, end: number) => void

const code = (letter: string): number => letter.charCodeAt(0)
const [QUOTE, BACKSLASH, COLON, COMMA, MINUS] = ['"', '\\', ':', ',', '-'].map(code)
const [OPEN_OBJECT, CLOSE_OBJECT, OPEN_LIST, CLOSE_LIST] = ['{', '}', '[', ']'].map(code)
const [ZERO = 0, NINE = 0] = ['0', '9'].map(code)
/** Integers of so many digits are written in one way only. */
const MOST_DIGITS = 15

// Bytes that stand for themselves in a text; in a key, only those that sort alike as bytes and as UTF-16.
const PLAIN = new Uint8Array(256)
const PLAIN_IN_KEY = new Uint8Array(256)
for (let byte = 0x20; byte < 256; byte++) {
  if (byte === QUOTE || byte === BACKSLASH) continue
  PLAIN[byte] = 1
  if (byte < 0x80) PLAIN_IN_KEY[byte] = 1
}
const ESCAPED = new Uint8Array(256)
for (const letter of '"\\bfnrt') ESCAPED[code(letter)] = 1
const WORDS = new Map(['true', 'false', 'null'].map(word => [code(word), [...word].map(code)]))

/**
 * The end of a value that begins at a place and is canonical JSON (RFC 8785) for certain; UTF-8 is taken for granted.
 *
 * Gives a negative number for what is rare or wrong, which only the full reader can tell apart: this one makes no value
 * of anything, since it runs over every entry of a log.
 */
export function canonicalEnd(
  bytes: Uint8Array,
  at: number,
  depth: number,
  visit?: MemberVisitor,
): number {
  switch (bytes[at]) {
    case QUOTE:
      return textEnd(bytes, at + 1)
    case OPEN_OBJECT:
      return depth < MAX_DEPTH ? objectEnd(bytes, at + 1, depth + 1, visit) : UNSURE
    case OPEN_LIST:
      return depth < MAX_DEPTH ? listEnd(bytes, at + 1, depth + 1) : UNSURE
    default:
      return isDigitOrMinus(bytes[at]) ? integerEnd(bytes, at) : wordEnd(bytes, at)
  }
}

function textEnd(bytes: Uint8Array, from: number): number {
  let at = from
  for (;;) {
    while (PLAIN[bytes[at] ?? 0] === 1) at++
    if (bytes[at] === QUOTE) return at + 1
    if (bytes[at] !== BACKSLASH || ESCAPED[bytes[at + 1] ?? 0] !== 1) return UNSURE
    at += 2
  }
}

function keyEnd(bytes: Uint8Array, from: number): number {
  let at = from
  while (PLAIN_IN_KEY[bytes[at] ?? 0] === 1) at++
  return bytes[at] === QUOTE && bytes[at + 1] === COLON ? at + 1 : UNSURE
}

function objectEnd(bytes: Uint8Array, from: number, depth: number, visit?: MemberVisitor): number {
  if (bytes[from] === CLOSE_OBJECT) return from + 1
  let last = UNSURE
  for (let key = from; ; ) {
    const end = bytes[key] === QUOTE ? keyEnd(bytes, key + 1) : UNSURE
    if (end < 0 || (last >= 0 && !isBefore(bytes, last + 1, key + 1))) return UNSURE
    const next = canonicalEnd(bytes, end + 1, depth)
    if (next < 0) return UNSURE
    visit?.(key, end + 1, next)
    if (bytes[next] === CLOSE_OBJECT) return next + 1
    if (bytes[next] !== COMMA) return UNSURE
    last = key
    key = next + 1
  }
}

/** Whether one key stands before another; the quote that ends a key is less than all that it could go on with but two. */
function isBefore(bytes: Uint8Array, one: number, other: number): boolean {
  let at = 0
  while (bytes[one + at] === bytes[other + at] && bytes[one + at] !== QUOTE) at++
  const [here = 0, there = 0] = [bytes[one + at], bytes[other + at]]
  if (here === QUOTE) return there !== QUOTE
  return there !== QUOTE && here < there
}

function listEnd(bytes: Uint8Array, from: number, depth: number): number {
  if (bytes[from] === CLOSE_LIST) return from + 1
  for (let at = from; ; ) {
    const next = canonicalEnd(bytes, at, depth)
    if (next < 0) return UNSURE
    if (bytes[next] === CLOSE_LIST) return next + 1
    if (bytes[next] !== COMMA) return UNSURE
    at = next + 1
  }
}

const isDigit = (byte = 0): boolean => byte >= ZERO && byte <= NINE
const isDigitOrMinus = (byte: number | undefined): boolean => isDigit(byte) || byte === MINUS

function integerEnd(bytes: Uint8Array, from: number): number {
  const first = bytes[from] === MINUS ? from + 1 : from
  if (bytes[first] === ZERO) return first === from && !isDigit(bytes[first + 1]) ? from + 1 : UNSURE
  let at = first
  while (isDigit(bytes[at])) at++
  return at > first && at - first <= MOST_DIGITS ? at : UNSURE
}

function wordEnd(bytes: Uint8Array, from: number): number {
  const word = WORDS.get(bytes[from] ?? 0)
  const isWord = word?.every((letter, at) => bytes[from + at] === letter)
  return word && isWord ? from + word.length : UNSURE
}
