import {
  fromHex,
  noteVerifier,
  openCheckpoint,
  parseVerifierKey,
  verifyInclusionFile,
  verifyReceipt,
} from '../src/ledger/door.ts'

/** What a reader needs to check a log in a browser; all of it is text. */
export interface Evidence {
  readonly origin: string
  /** The verifier key of the log. */
  readonly logKey: string
  /** The key of the gateway, SubjectPublicKeyInfo in hex, and its id. */
  readonly gatewayKey: string
  readonly gatewayKeyid: string
  /** A C2SP tlog-proof. */
  readonly proof: string
  /** The hash of the leaf that it is about, in hex. */
  readonly leaf: string
  readonly receipt: unknown
}

/** Checks a proof and a receipt as a page does: with SHA-256 of its own, and with the browser's own signature checks. */
export async function checkEvidence(evidence: Evidence) {
  const { origin, logKey, gatewayKey, gatewayKeyid, proof, leaf, receipt } = evidence
  const key = parseVerifierKey(sha256, logKey)
  if ('fault' in key) return { index: key, promised: key }
  const verifier = noteVerifier(key, (publicKey, message, signature) =>
    checkSignature({ name: 'Ed25519' }, 'raw', publicKey, signature, message),
  )
  const entry = fromHex(leaf) ?? new Uint8Array()
  const included = await verifyInclusionFile(sha256, proof, entry, note =>
    openCheckpoint(note, origin, [verifier]),
  )
  const spki = fromHex(gatewayKey) ?? new Uint8Array()
  const promised = await verifyReceipt(sha256, receipt, async (keyid, message, signature) => {
    if (keyid !== gatewayKeyid) return false
    return checkSignature(P256, 'spki', spki, plainSignature(signature), message)
  })
  const index = 'fault' in included ? included : included.index
  return { index, promised }
}

const P256 = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' }

async function checkSignature(
  algorithm: typeof P256 | { readonly name: string },
  format: 'raw' | 'spki',
  publicKey: Uint8Array,
  signature: Uint8Array,
  message: Uint8Array,
): Promise<boolean> {
  const { subtle } = crypto
  const key = await subtle.importKey(format, Uint8Array.from(publicKey), algorithm, false, [
    'verify',
  ])
  return subtle.verify(algorithm, key, Uint8Array.from(signature), Uint8Array.from(message))
}

/** Browsers want the two numbers of a P-256 signature as 32 bytes each; in DER they stand behind two bytes each, without leading zeros. */
function plainSignature(der: Uint8Array): Uint8Array {
  const plain = new Uint8Array(64)
  let at = 2
  for (const end of [32, 64]) {
    const length = der[at + 1] ?? 0
    const number = der.subarray(at + 2, at + 2 + length)
    const short = number.subarray(Math.max(0, number.length - 32))
    plain.set(short, end - short.length)
    at += 2 + length
  }
  return plain
}

const PRIMES: readonly number[] = Array.from({ length: 312 }, (_, n) => n).filter(
  n => n > 1 && !Array.from({ length: n }, (_, d) => d).some(d => d > 1 && n % d === 0),
)
const fraction = (value: number) => Math.floor((value - Math.floor(value)) * 2 ** 32)
const START = PRIMES.slice(0, 8).map(prime => fraction(Math.sqrt(prime)))
const ROUNDS = PRIMES.slice(0, 64).map(prime => fraction(Math.cbrt(prime)))
const turn = (word: number, by: number) => (word >>> by) | (word << (32 - by))

/** SHA-256 (FIPS 180-4) that answers at once; that of browsers makes one wait. */
export function sha256(bytes: Uint8Array): Uint8Array {
  const padded = new Uint8Array(Math.ceil((bytes.length + 9) / 64) * 64)
  padded.set(bytes)
  padded[bytes.length] = 0x80
  const view = new DataView(padded.buffer)
  view.setBigUint64(padded.length - 8, BigInt(bytes.length) * 8n)
  let state = START
  for (let at = 0; at < padded.length; at += 64) state = addBlock(state, view, at)
  const hash = new DataView(new ArrayBuffer(32))
  for (const [i, word] of state.entries()) hash.setUint32(4 * i, word)
  return new Uint8Array(hash.buffer)
}

function addBlock(state: readonly number[], view: DataView, at: number): number[] {
  const words: number[] = []
  const word = (i: number) => words[i] ?? 0
  let [a = 0, b = 0, c = 0, d = 0, e = 0, f = 0, g = 0, h = 0] = state
  for (let i = 0; i < 64; i++) {
    const [x, y] = [word(i - 15), word(i - 2)]
    const far = turn(x, 7) ^ turn(x, 18) ^ (x >>> 3)
    const near = turn(y, 17) ^ turn(y, 19) ^ (y >>> 10)
    words.push(i < 16 ? view.getUint32(at + 4 * i) : (word(i - 16) + far + word(i - 7) + near) | 0)
    const chosen = (e & f) ^ (~e & g)
    const first =
      (h + (turn(e, 6) ^ turn(e, 11) ^ turn(e, 25)) + chosen + (ROUNDS[i] ?? 0) + word(i)) | 0
    const most = (a & b) ^ (a & c) ^ (b & c)
    const second = ((turn(a, 2) ^ turn(a, 13) ^ turn(a, 22)) + most) | 0
    ;[a, b, c, d, e, f, g, h] = [(first + second) | 0, a, b, c, (d + first) | 0, e, f, g]
  }
  return [a, b, c, d, e, f, g, h].map((value, i) => (value + (state[i] ?? 0)) | 0)
}
