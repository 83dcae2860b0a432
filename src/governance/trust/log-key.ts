import { ED25519, formatVerifierKey, parseVerifierKey, verifierKey } from '../../ledger/index.ts'
import { digestBytes } from '../digest.ts'

/** The public key of a log in its notes (C2SP signed-note): a name, a short id, and an Ed25519 key. */
export interface LogKey {
  readonly name: string
  /** Eight hex digits. */
  readonly id: string
  /** 32 bytes. */
  readonly publicKey: Uint8Array
}

const SPKI_PREFIX = Buffer.from('302a300506032b6570032100', 'hex')

/** Parses the verifier key of a log; refuses that of a witness, which signs something else. */
export function readLogKey(text: string): LogKey | { readonly fault: string } {
  const read = parseVerifierKey(digestBytes, text)
  if ('fault' in read || read.type === ED25519) return read
  return { fault: 'this is the key of a witness, not of a log' }
}

/** Formats the verifier key of a log. */
export function logKeyText(name: string, publicKey: Uint8Array): string {
  return formatVerifierKey(verifierKey(digestBytes, name, ED25519, publicKey))
}

/** An Ed25519 public key as SPKI. */
export function ed25519Der(publicKey: Uint8Array): Buffer {
  return Buffer.concat([SPKI_PREFIX, publicKey])
}
