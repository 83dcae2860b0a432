import { hash } from 'node:crypto'
import { canonicalJson } from '../ledger/index.ts'

/** SHA-256 of bytes, as bytes. */
export function digestBytes(bytes: Uint8Array): Uint8Array {
  // By way of a text: Node gives every hash that it returns as bytes memory of its own, which takes three times as long.
  return Buffer.from(hash('sha256', bytes, 'binary'), 'binary')
}

/** Hex SHA-256 of a value's canonical JSON (RFC 8785), which is the same however the value is written. */
export function digestValue(value: unknown): string | { readonly fault: string } {
  const text = canonicalJson(value)
  return typeof text === 'string' ? hash('sha256', text) : text
}
