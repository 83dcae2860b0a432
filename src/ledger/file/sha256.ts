import { hash } from 'node:crypto'
import type { Sha256 } from '../hash.ts'

/** SHA-256 by Node. */
export const sha256: Sha256 = digestOf

/** SHA-256 of bytes, or of a text as UTF-8. */
export function digestOf(what: Uint8Array | string): Buffer {
  // Go through a string: Node allocates separate memory for each hash returned as bytes, which takes three times as
  // long.
  return Buffer.from(hash('sha256', what, 'binary'), 'binary')
}
