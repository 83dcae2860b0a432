/** The SHA-256 of bytes or text in lower-case hex. */
export function sha256(data: Uint8Array | string): string {
  // Loaded on use: most runs digest nothing, and loading it costs a tenth of their time.
  return process.getBuiltinModule('node:crypto').hash('sha256', data)
}

/** The same of what is too large to be held, or to be waited for by everybody else. */
export async function sha256OfStream(pieces: AsyncIterable<Uint8Array>): Promise<string> {
  const hash = process.getBuiltinModule('node:crypto').createHash('sha256')
  for await (const piece of pieces) hash.update(piece)
  return hash.digest('hex')
}

const CR = 0x0d
const LF = 0x0a
/** How much is hashed at a time. */
const PIECE = 65_536

/** The SHA-256 of a text whose lines all end in LF, or in CRLF, whichever they end in. */
export function sha256OfLines(bytes: Uint8Array, ends: 'LF' | 'CRLF'): string {
  const hash = process.getBuiltinModule('node:crypto').createHash('sha256')
  const piece = new Uint8Array(PIECE)
  let length = 0
  for (let at = 0; at < bytes.length; at++) {
    const byte = bytes[at] ?? 0
    if (byte === CR && bytes[at + 1] === LF) continue
    if (byte === LF && ends === 'CRLF') piece[length++] = CR
    piece[length++] = byte
    if (length < PIECE - 1) continue
    hash.update(piece.subarray(0, length))
    length = 0
  }
  return hash.update(piece.subarray(0, length)).digest('hex')
}
