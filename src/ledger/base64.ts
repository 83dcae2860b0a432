const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/'
const OUTSIDE = 64
// The value of each character code; `OUTSIDE` if not in the alphabet.
const SEXTETS = new Uint8Array(256).fill(OUTSIDE)
for (let sextet = 0; sextet < ALPHABET.length; sextet++)
  SEXTETS[ALPHABET.charCodeAt(sextet)] = sextet
const LETTERS = Uint8Array.from(ALPHABET, letter => letter.charCodeAt(0))
const PAD = 61
// The buffer in which text is built, a piece at a time.
const PIECE = 3 * 4096
const letters = new Uint8Array((PIECE / 3) * 4)
const decoder = new TextDecoder()
const OCTETS: readonly string[] = Array.from({ length: 256 }, (_, byte) =>
  byte.toString(16).padStart(2, '0'),
)
// The value of two hexadecimal digits, by character code.
const NO_DIGIT = 16
const NIBBLES = new Uint8Array(256).fill(NO_DIGIT)
for (let nibble = 0; nibble < 16; nibble++) NIBBLES[nibble.toString(16).charCodeAt(0)] = nibble

/** Encodes bytes in standard base64 with padding (RFC 4648, section 4). */
export function toBase64(bytes: Uint8Array): string {
  let text = ''
  for (let at = 0; at < bytes.length; at += PIECE) {
    const count = encodePiece(bytes, at, Math.min(at + PIECE, bytes.length))
    text += decoder.decode(letters.subarray(0, count))
  }
  return text
}

/** Encodes a range and returns the number of characters; only the last piece may need padding. */
function encodePiece(bytes: Uint8Array, from: number, end: number): number {
  let to = 0
  for (let at = from; at < end; at += 3) {
    // Bytes past the end count as zero.
    const bits = (octet(bytes, at) << 16) | (octet(bytes, at + 1) << 8) | octet(bytes, at + 2)
    letters[to++] = octet(LETTERS, bits >> 18)
    letters[to++] = octet(LETTERS, (bits >> 12) & 63)
    letters[to++] = octet(LETTERS, (bits >> 6) & 63)
    letters[to++] = octet(LETTERS, bits & 63)
  }
  const rest = (end - from) % 3
  if (rest > 0) letters[to - 1] = PAD
  if (rest === 1) letters[to - 2] = PAD
  return to
}

/** Decodes standard base64; returns nothing for text that `toBase64` would not write. */
export function fromBase64(text: string): Uint8Array | undefined {
  const { length } = text
  if (length % 4 !== 0) return undefined
  const padding = !text.endsWith('=') ? 0 : text.endsWith('==') ? 2 : 1
  const bytes = new Uint8Array((length / 4) * 3 - padding)
  const whole = padding === 0 ? length : length - 4
  let wrong = 0
  let to = 0
  for (let at = 0; at < whole; at += 4) {
    const a = sextet(text, at)
    const b = sextet(text, at + 1)
    const c = sextet(text, at + 2)
    const d = sextet(text, at + 3)
    wrong |= a | b | c | d
    bytes[to++] = (a << 2) | (b >> 4)
    bytes[to++] = (b << 4) | (c >> 2)
    bytes[to++] = (c << 6) | d
  }
  if (padding > 0) wrong |= readEnd(text, whole, padding, bytes, to)
  return wrong & OUTSIDE ? undefined : bytes
}

/** Decodes the last, partial group; returns `OUTSIDE` for an invalid character or a nonzero unused bit. */
function readEnd(text: string, at: number, padding: number, bytes: Uint8Array, to: number): number {
  const a = sextet(text, at)
  const b = sextet(text, at + 1)
  bytes[to] = (a << 2) | (b >> 4)
  if (padding === 2) return a | b | ((b & 15) === 0 ? 0 : OUTSIDE)
  const c = sextet(text, at + 2)
  bytes[to + 1] = (b << 4) | (c >> 2)
  return a | b | c | ((c & 3) === 0 ? 0 : OUTSIDE)
}

const octet = (bytes: Uint8Array, at: number): number => bytes[at] ?? 0
const sextet = (text: string, at: number): number => SEXTETS[text.charCodeAt(at)] ?? OUTSIDE

/** Encodes bytes in lower-case hexadecimal. */
export function toHex(bytes: Uint8Array): string {
  let text = ''
  for (let at = 0; at < bytes.length; at++) text += OCTETS[octet(bytes, at)]
  return text
}

/** Decodes lower-case hexadecimal; returns nothing for any other text. */
export function fromHex(text: string): Uint8Array | undefined {
  if (text.length % 2 !== 0) return undefined
  const bytes = new Uint8Array(text.length / 2)
  let wrong = 0
  for (let at = 0; at < bytes.length; at++) {
    const high = NIBBLES[text.charCodeAt(2 * at)] ?? NO_DIGIT
    const low = NIBBLES[text.charCodeAt(2 * at + 1)] ?? NO_DIGIT
    wrong |= high | low
    bytes[at] = (high << 4) | low
  }
  return wrong & NO_DIGIT ? undefined : bytes
}
