import type { JsonWebKey, KeyObject } from 'node:crypto'
import { fromBase64 } from '../../ledger/index.ts'
import { readNumber, readStrings } from './ssh-wire.ts'

/** An SSH public key. */
export interface SshKey {
  readonly type: 'ssh-ed25519' | 'ecdsa-sha2-nistp256' | 'ssh-rsa'
  readonly key: KeyObject
  /** The key in SSH wire format. */
  readonly blob: Uint8Array
}

/** Smaller keys can be broken; larger ones make verification very slow. */
const RSA_BITS = { fewest: 2048, most: 8192 }
const RSA_EXPONENT_BYTES = 4
const POINT_BYTES = 65
const UNCOMPRESSED = 4

/** Parses a public key line: `<type> <base64> [comment]`. */
export function readSshLine(line: string): SshKey | { readonly fault: string } {
  const [type = '', base64 = ''] = line.trim().split(/[ \t]+/)
  const blob = fromBase64(base64)
  if (!blob) return { fault: 'the text after its type is not base64' }
  const key = readSshBlob(blob)
  if ('fault' in key || key.type === type) return key
  return { fault: `its type is ${type}, but the key is ${key.type}` }
}

/** Parses a public key in SSH wire format; each part must be in canonical form. */
export function readSshBlob(blob: Uint8Array): SshKey | { readonly fault: string } {
  const type = Buffer.from(readHead(blob) ?? []).toString('latin1')
  const read = Object.hasOwn(READERS, type) ? READERS[type as SshKey['type']] : undefined
  if (!read) return { fault: 'its type is not ssh-ed25519, ecdsa-sha2-nistp256 or ssh-rsa' }
  const jwk = read(blob)
  if (!jwk) return { fault: `it is not a ${type} key of an accepted size` }
  try {
    const { createPublicKey } = process.getBuiltinModule('node:crypto')
    const key = createPublicKey({ key: jwk, format: 'jwk' })
    return { type: type as SshKey['type'], key, blob }
  } catch {
    return { fault: `its numbers are not a valid ${type} key` }
  }
}

function readHead(blob: Uint8Array): Uint8Array | undefined {
  const size = blob.length < 4 ? 0 : Buffer.from(blob.subarray(0, 4)).readUInt32BE()
  return size > 0 && size < 64 ? blob.subarray(4, 4 + size) : undefined
}

const url = (bytes: Uint8Array) => Buffer.from(bytes).toString('base64url')

const READERS: Record<SshKey['type'], (blob: Uint8Array) => JsonWebKey | undefined> = {
  'ssh-ed25519': blob => {
    const [, x] = readStrings(blob, 2) ?? []
    return x?.length === 32 ? { kty: 'OKP', crv: 'Ed25519', x: url(x) } : undefined
  },
  'ecdsa-sha2-nistp256': blob => {
    const [, curve, point] = readStrings(blob, 3) ?? []
    if (!curve || Buffer.from(curve).toString('latin1') !== 'nistp256') return undefined
    if (point?.length !== POINT_BYTES || point[0] !== UNCOMPRESSED) return undefined
    return { kty: 'EC', crv: 'P-256', x: url(point.subarray(1, 33)), y: url(point.subarray(33)) }
  },
  'ssh-rsa': blob => {
    const [, first, second] = readStrings(blob, 3) ?? []
    const [e, n] = [first && readNumber(first), second && readNumber(second)]
    if (!e || !n || e.length > RSA_EXPONENT_BYTES) return undefined
    const bits = n.length * 8 - Math.clz32(n[0] ?? 0) + 24
    if (bits < RSA_BITS.fewest || bits > RSA_BITS.most) return undefined
    return { kty: 'RSA', n: url(n), e: url(e) }
  },
}
