/** The SPKI prefix of every uncompressed P-256 key (RFC 5480). */
const PREFIX = Buffer.from('3059301306072a8648ce3d020106082a8648ce3d03010703420004', 'hex')
const SIZE = 91

const P = 2n ** 256n - 2n ** 224n + 2n ** 192n + 2n ** 96n - 1n
const B = 0x5ac635d8aa3a93e7b3ebbd55769886bc651d06b0cc53b0f63bce3c3e27d2604bn

/**
 * Returns why bytes are not a P-256 public key, or `undefined` if they are one.
 *
 * Does not use OpenSSL, which is forty times slower: a repository may trust thousands of keys and use two.
 */
export function whyNotP256(der: Uint8Array): string | undefined {
  const bytes = Buffer.from(der.buffer, der.byteOffset, der.byteLength)
  if (bytes.length !== SIZE || !bytes.subarray(0, PREFIX.length).equals(PREFIX)) {
    return bytes[0] === PREFIX[0] ? 'it has another type or curve' : 'it is not an SPKI'
  }
  const x = BigInt(`0x${bytes.toString('hex', 27, 59)}`)
  const y = BigInt(`0x${bytes.toString('hex', 59)}`)
  if (x >= P || y >= P || (y * y - (x * x - 3n) * x - B) % P !== 0n)
    return 'its point is not on the curve'
  return undefined
}
