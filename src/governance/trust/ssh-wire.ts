const SIZE = 4

/** Reads exactly `count` length-prefixed strings (RFC 4251, section 5); `undefined` for any other bytes. */
export function readStrings(bytes: Uint8Array, count: number): readonly Uint8Array[] | undefined {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const strings: Uint8Array[] = []
  let at = 0
  while (strings.length < count) {
    if (at + SIZE > bytes.length) return undefined
    const end = at + SIZE + view.getUint32(at)
    if (end > bytes.length) return undefined
    strings.push(bytes.subarray(at + SIZE, end))
    at = end
  }
  return at === bytes.length ? strings : undefined
}

/** Writes strings, each with its length prefix. */
export function writeStrings(strings: readonly (Uint8Array | string)[]): Buffer {
  return Buffer.concat(
    strings.flatMap(string => {
      const bytes = Buffer.from(string)
      const size = Buffer.alloc(SIZE)
      size.writeUInt32BE(bytes.length)
      return [size, bytes]
    }),
  )
}

/** The bytes of a positive number in shortest form; `undefined` for any other form. */
export function readNumber(bytes: Uint8Array): Buffer | undefined {
  const [first = 0, second = 0] = bytes
  if (first >= 0x80 || bytes.length === 0) return undefined
  if (first === 0 && second < 0x80) return undefined
  return Buffer.from(first === 0 ? bytes.subarray(1) : bytes)
}
