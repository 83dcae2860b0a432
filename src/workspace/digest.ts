/** Returns the SHA-256 of bytes or text in lower-case hex. */
export function sha256(data: Uint8Array | string): string {
  // Loaded on use: most runs hash nothing, and loading takes a tenth of their time.
  return process.getBuiltinModule('node:crypto').hash('sha256', data)
}

/** Hashes a stream, for content too large to hold in memory or to hash at once. */
export async function sha256OfStream(pieces: AsyncIterable<Uint8Array>): Promise<string> {
  const hash = process.getBuiltinModule('node:crypto').createHash('sha256')
  for await (const piece of pieces) hash.update(piece)
  return hash.digest('hex')
}

const CR = 0x0d
const LF = 0x0a
/** Bytes per read. */
const PIECE = 65_536

/** The SHA-256 of a text after converting its line ends. */
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
