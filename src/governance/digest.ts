import { hash } from 'node:crypto'
import { canonicalJson } from '../ledger/index.ts'

/** SHA-256 of bytes, as bytes. */
export function digestBytes(bytes: Uint8Array): Uint8Array {
  // Go through a string: Node allocates separate memory for each hash returned as bytes, which takes three times as
  // long.
  return Buffer.from(hash('sha256', bytes, 'binary'), 'binary')
}

/** Hex SHA-256 of a value's canonical JSON (RFC 8785), independent of how the value is written. */
export function digestValue(value: unknown): string | { readonly fault: string } {
  const text = canonicalJson(value)
  return typeof text === 'string' ? hash('sha256', text) : text
}
