import { readSshBlob, type SshKey } from '../trust/ssh-key.ts'
import { readNumber, readStrings, writeStrings } from '../trust/ssh-wire.ts'

/** A signature as `ssh-keygen -Y sign` writes it (OpenSSH PROTOCOL.sshsig). */
export interface SshSignature {
  readonly key: SshKey
  readonly namespace: string
  readonly hash: 'sha256' | 'sha512'
  readonly format: string
  readonly signature: Uint8Array
}

const BEGIN = '-----BEGIN SSH SIGNATURE-----\n'
const END = '-----END SSH SIGNATURE-----\n'
const MAGIC = Buffer.from('SSHSIG')
const PREAMBLE = Buffer.concat([MAGIC, Buffer.of(0, 0, 0, 1)])
const LINE = 70
const MOST_CHARACTERS = 16_384

/** Parses an SSH signature in the exact form that OpenSSH writes. */
export function readSshSignature(text: string): SshSignature | { readonly fault: string } {
  if (text.length > MOST_CHARACTERS || !text.startsWith(BEGIN) || !text.endsWith(END))
    return { fault: 'not an SSH signature' }
  const blob = Buffer.from(text.slice(BEGIN.length, -END.length), 'base64')
  if (armoured(blob) !== text) return { fault: 'not in the form that OpenSSH writes' }
  if (!blob.subarray(0, PREAMBLE.length).equals(PREAMBLE))
    return { fault: 'not an SSH signature of version 1' }
  const [publicKey, namespace, reserved, hash, signature] =
    readStrings(blob.subarray(PREAMBLE.length), 5) ?? []
  if (!publicKey || !namespace || !hash || !signature || reserved?.length !== 0)
    return { fault: 'malformed SSH signature' }
  const key = readSshBlob(publicKey)
  if ('fault' in key) return { fault: `unsupported key: ${key.fault}` }
  const [format, bytes] = readStrings(signature, 2) ?? []
  if (!format || !bytes) return { fault: 'malformed SSH signature' }
  const algorithm = latin(hash)
  if (algorithm !== 'sha512' && algorithm !== 'sha256')
    return { fault: 'unsupported digest; use SHA-256 or SHA-512' }
  return {
    key,
    namespace: latin(namespace),
    hash: algorithm,
    format: latin(format),
    signature: bytes,
  }
}

const latin = (bytes: Uint8Array) => Buffer.from(bytes).toString('latin1')

function armoured(blob: Buffer): string {
  const base64 = blob.toString('base64')
  let lines = ''
  for (let at = 0; at < base64.length; at += LINE) lines += `${base64.slice(at, at + LINE)}\n`
  return BEGIN + lines + END
}

/** Verifies a signature over these bytes with its own key. */
export function isSshSignatureOver(signature: SshSignature, bytes: Uint8Array): boolean {
  const { createHash } = process.getBuiltinModule('node:crypto')
  const digest = createHash(signature.hash).update(bytes).digest()
  const parts = [signature.namespace, '', signature.hash, digest]
  return verifies(signature, Buffer.concat([MAGIC, writeStrings(parts)]))
}

const RSA_DIGESTS: Readonly<Record<string, string>> = {
  'rsa-sha2-256': 'sha256',
  'rsa-sha2-512': 'sha512',
}

function verifies(
  { key: { key, type }, format, signature }: SshSignature,
  signed: Buffer,
): boolean {
  const { verify } = process.getBuiltinModule('node:crypto')
  if (type === 'ssh-rsa') {
    const digest = Object.hasOwn(RSA_DIGESTS, format) ? RSA_DIGESTS[format] : undefined
    return digest !== undefined && verify(digest, signed, key, signature)
  }
  if (format !== type) return false
  if (type === 'ssh-ed25519') return verify(null, signed, key, signature)
  const raw = ecdsaSignature(signature)
  return raw !== undefined && verify('sha256', signed, { key, dsaEncoding: 'ieee-p1363' }, raw)
}

/** The two numbers of an ECDSA signature (RFC 5656, section 3.1.2), 32 bytes each. */
function ecdsaSignature(signature: Uint8Array): Buffer | undefined {
  const numbers = (readStrings(signature, 2) ?? []).map(readNumber)
  if (numbers.length !== 2) return undefined
  const raw = Buffer.alloc(64)
  for (const [index, number] of numbers.entries()) {
    if (!number || number.length > 32) return undefined
    number.copy(raw, 32 * (index + 1) - number.length)
  }
  return raw
}
