import { fromBase64, toBase64, toHex } from './base64.ts'
import { concat } from './bytes.ts'
import type { Faulty } from './fault.ts'
import type { Sha256 } from './hash.ts'
import { isKeyName, type NoteSigner, type NoteVerifier } from './note.ts'

/** The public half of a note-signing key, with its signature type. */
export interface VerifierKey {
  readonly name: string
  /** Eight hexadecimal digits. */
  readonly id: string
  /** The signature type: `ED25519` or `COSIGNATURE`. */
  readonly type: number
  /** 32 bytes (RFC 8032). */
  readonly publicKey: Uint8Array
}

/** Verifies an Ed25519 signature (RFC 8032); a parameter, since the core has no cryptography. */
export type VerifyEd25519 = (
  publicKey: Uint8Array,
  message: Uint8Array,
  signature: Uint8Array,
) => boolean | Promise<boolean>

/** The type of an Ed25519 signature over the text of a note. */
export const ED25519 = 0x01

/** The type of a witness's Ed25519 signature over a time and a checkpoint (C2SP tlog-cosignature). */
export const COSIGNATURE = 0x04

const KEY_SIZE = 32

/** The id of a note-signing key: the first four bytes of a hash over its name, type and public key. */
export function keyId(sha256: Sha256, name: string, type: number, publicKey: Uint8Array): string {
  const prefix = new TextEncoder().encode(`${name}\n`)
  return toHex(sha256(concat(prefix, new Uint8Array([type]), publicKey)).subarray(0, 4))
}

/** Formats a verifier key: `<name>+<id>+<base64>` (C2SP signed-note, verifier keys). */
export function formatVerifierKey({ name, id, type, publicKey }: VerifierKey): string {
  return `${name}+${id}+${toBase64(concat(new Uint8Array([type]), publicKey))}`
}

/** Parses a verifier key; its id must match the rest. */
export function parseVerifierKey(sha256: Sha256, text: string): VerifierKey | Faulty {
  // The base64 part may contain plus signs; names may not.
  const [name = '', id = ''] = text.split('+', 2)
  const encoded = text.slice(name.length + id.length + 2)
  const bytes = fromBase64(encoded)
  const type = bytes?.[0]
  if (!isKeyName(name) || !bytes || type === undefined)
    return { fault: 'not a verifier key of the form <name>+<id>+<base64>' }
  const publicKey = bytes.subarray(1)
  if (type !== ED25519 && type !== COSIGNATURE)
    return { fault: `signature type ${type} is not supported; 1 and 4 (Ed25519) are` }
  if (publicKey.length !== KEY_SIZE)
    return { fault: `an Ed25519 key has ${KEY_SIZE} bytes, not ${publicKey.length}` }
  return id === keyId(sha256, name, type, publicKey)
    ? { name, id, type, publicKey }
    : { fault: `the id '${id}' does not match this name and key` }
}

/** Builds a key from a name, for one signature type. */
export function verifierKey(
  sha256: Sha256,
  name: string,
  type: number,
  publicKey: Uint8Array,
): VerifierKey {
  return { name, id: keyId(sha256, name, type, publicKey), type, publicKey }
}

/** Verifies notes signed without a prefix, such as a log's checkpoints. */
export function noteVerifier(key: VerifierKey, verify: VerifyEd25519): NoteVerifier {
  const { name, id, type, publicKey } = key
  return {
    name,
    id,
    verify: (message, signature) =>
      type === ED25519 && signature.length === 64 && verify(publicKey, message, signature),
  }
}

/** Signs notes without a prefix, such as a log's checkpoints. */
export function noteSigner(
  { name, id }: VerifierKey,
  sign: (message: Uint8Array) => Uint8Array,
): NoteSigner {
  return { name, id, sign }
}
