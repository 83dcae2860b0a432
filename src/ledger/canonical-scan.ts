import { MAX_DEPTH } from './canonical.ts'

/** The result for text that may not be canonical. */
const UNSURE = -1

/** Called for each member of an object with the positions of its key, including quotes, and of its value. */
type MemberVisitor = (key: number, value: number, end: number) => void

const code = (letter: string): number => letter.charCodeAt(0)
const [QUOTE, BACKSLASH, COLON, COMMA, MINUS] = ['"', '\\', ':', ',', '-'].map(code)
const [OPEN_OBJECT, CLOSE_OBJECT, OPEN_LIST, CLOSE_LIST] = ['{', '}', '[', ']'].map(code)
const [ZERO = 0, NINE = 0] = ['0', '9'].map(code)
/** Integers of up to this many digits have only one form. */
const MOST_DIGITS = 15

// ASCII characters that need no escape.
const PLAIN = new Uint8Array(256)
for (let byte = 0x20; byte < 0x80; byte++) if (byte !== QUOTE && byte !== BACKSLASH) PLAIN[byte] = 1
const ASCII = 0x80
const ESCAPED = new Uint8Array(256)
for (const letter of '"\\bfnrt') ESCAPED[code(letter)] = 1
const WORDS = new Map(['true', 'false', 'null'].map(word => [code(word), [...word].map(code)]))

/** Whether four bytes are all plain: no subtraction borrows from the byte above, and no high bit is set. */
const arePlain = (four: number): boolean =>
  ((four |
    (four - 0x20202020) |
    ((four ^ 0x22222222) - 0x01010101) |
    ((four ^ 0x5c5c5c5c) - 0x01010101)) &
    0x80808080) ===
  0

/**
 * Finds the end of a value that is certainly canonical JSON (RFC 8785); assumes valid UTF-8.
 *
 * Creates no values, since it runs over every entry of a log.
 */
export class CanonicalScan {
  readonly #bytes: Uint8Array
  readonly #view: DataView
  /** The last position at which four bytes can be read. */
  readonly #lastFour: number
  #isAscii = true

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length)
    this.#lastFour = bytes.length - 4
  }

  /** Whether the scanned bytes are ASCII, and so valid UTF-8. */
  get isAscii(): boolean {
    return this.#isAscii
  }

  /** The end of the value at a position; a negative number for rare or invalid input, which needs the full parser. */
  end(at: number, depth: number, visit?: MemberVisitor): number {
    switch (this.#bytes[at]) {
      case QUOTE:
        return this.#textEnd(at + 1)
      case OPEN_OBJECT:
        return depth < MAX_DEPTH ? this.#objectEnd(at + 1, depth + 1, visit) : UNSURE
      case OPEN_LIST:
        return depth < MAX_DEPTH ? this.#listEnd(at + 1, depth + 1) : UNSURE
      default:
        return isDigitOrMinus(this.#bytes[at])
          ? integerEnd(this.#bytes, at)
          : wordEnd(this.#bytes, at)
    }
  }

  #textEnd(from: number): number {
    const bytes = this.#bytes
    for (let at = this.#plainEnd(from); ; at = this.#plainEnd(at)) {
      const byte = bytes[at] ?? 0
      if (byte === QUOTE) return at + 1
      if (byte >= ASCII) {
        this.#isAscii = false
        at++
      } else if (byte === BACKSLASH && ESCAPED[bytes[at + 1] ?? 0] === 1) at += 2
      else return UNSURE
    }
  }

  /** Byte order and UTF-16 order agree only for plain keys. */
  #keyEnd(from: number): number {
    const at = this.#plainEnd(from)
    return this.#bytes[at] === QUOTE && this.#bytes[at + 1] === COLON ? at + 1 : UNSURE
  }

  #plainEnd(from: number): number {
    let at = from
    while (at <= this.#lastFour && arePlain(this.#view.getInt32(at))) at += 4
    while (PLAIN[this.#bytes[at] ?? 0] === 1) at++
    return at
  }

  #objectEnd(from: number, depth: number, visit?: MemberVisitor): number {
    const bytes = this.#bytes
    if (bytes[from] === CLOSE_OBJECT) return from + 1
    let last = UNSURE
    for (let key = from; ; ) {
      const end = bytes[key] === QUOTE ? this.#keyEnd(key + 1) : UNSURE
      if (end < 0 || (last >= 0 && !isBefore(bytes, last + 1, key + 1))) return UNSURE
      const next = this.end(end + 1, depth)
      if (next < 0) return UNSURE
      visit?.(key, end + 1, next)
      if (bytes[next] === CLOSE_OBJECT) return next + 1
      if (bytes[next] !== COMMA) return UNSURE
      last = key
      key = next + 1
    }
  }

  #listEnd(from: number, depth: number): number {
    const bytes = this.#bytes
    if (bytes[from] === CLOSE_LIST) return from + 1
    for (let at = from; ; ) {
      const next = this.end(at, depth)
      if (next < 0) return UNSURE
      if (bytes[next] === CLOSE_LIST) return next + 1
      if (bytes[next] !== COMMA) return UNSURE
      at = next + 1
    }
  }
}

/** Whether one key sorts before another; the closing quote is less than all but two characters that could follow. */
function isBefore(bytes: Uint8Array, one: number, other: number): boolean {
  let at = 0
  while (bytes[one + at] === bytes[other + at] && bytes[one + at] !== QUOTE) at++
  const [here = 0, there = 0] = [bytes[one + at], bytes[other + at]]
  if (here === QUOTE) return there !== QUOTE
  return there !== QUOTE && here < there
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
