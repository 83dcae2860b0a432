import { hash } from 'node:crypto'
import {
  cutLeaf,
  fromBase64,
  LONGEST_LINE,
  STATEMENT_PAYLOAD,
  type StoredEntry,
} from '../../ledger/index.ts'
import { isSignedBy, type Keyring, type KnownKey } from './keyring.ts'

/** An entry whose leaf, content and signature match. */
export interface Confirmed {
  readonly digest: string
  readonly key: KnownKey
  /** Valid until the next entry is confirmed. */
  readonly payload: Uint8Array
}

const HEAD = '{"payload":"'
const BEFORE_KEY = `","payloadType":"${STATEMENT_PAYLOAD}","signatures":[{"keyid":"`
const BEFORE_SIGNATURE = '","sig":"'
const END = '"}]}'
const PAE = `DSSEv1 ${STATEMENT_PAYLOAD.length} ${STATEMENT_PAYLOAD} `

// Reused for every signed message: allocating takes longer than hashing.
let memory = Buffer.allocUnsafeSlow(65_536)

/**
 * Confirms that content is the envelope of its leaf, signed by the key of the leaf.
 *
 * This fast path runs over every entry of a log. All but the payload follows from the leaf, so comparing text suffices.
 * Returns undefined if anything is wrong or unusual; the slow path then finds the fault.
 */
export function confirm({ leaf, content }: StoredEntry, keyring: Keyring): Confirmed | undefined {
  const bytes = Buffer.from(leaf.buffer, leaf.byteOffset, leaf.length)
  const [name = '', sig = '', publicKey = ''] = cutLeaf(bytes.toString('latin1'))
  const key = keyring.findText(publicKey)
  const signature = fromBase64(sig)
  if (!key || !signature || !content || content.length > LONGEST_LINE) return undefined
  const after = BEFORE_KEY + key.keyid + BEFORE_SIGNATURE + sig + END
  const line = content.toString('latin1')
  if (!line.startsWith(HEAD) || !line.endsWith(after)) return undefined
  const from = layOut(line.slice(HEAD.length, line.length - after.length))
  if (from === undefined) return undefined
  const { message, payload } = from
  const digest = hash('sha256', message, 'base64')
  if (digest !== name || !isSignedBy(key, message, signature)) return undefined
  return { digest: Buffer.from(digest, 'base64').toString('hex'), key, payload }
}

/** Builds the signed message of a base64 payload; undefined if the base64 is not canonical. */
export function layOut(text: string): { message: Buffer; payload: Buffer } | undefined {
  const padding = !text.endsWith('=') ? 0 : text.endsWith('==') ? 2 : 1
  const length = (text.length / 4) * 3 - padding
  if (!Number.isInteger(length) || length < 0) return undefined
  if (text.length + PAE.length + 32 > memory.length)
    memory = Buffer.allocUnsafeSlow(2 * (text.length + PAE.length + 32))
  const from = memory.write(`${PAE}${length} `, 'latin1')
  const end = from + memory.write(text, from, 'base64')
  // Skipped characters shorten the result, so only the URL-safe letters and the unused bits of the last group remain
  // to be checked.
  if (end - from !== length || text.includes('-') || text.includes('_')) return undefined
  if (padding > 0 && !text.endsWith(memory.toString('base64', end - 3 + padding, end)))
    return undefined
  return { message: memory.subarray(0, end), payload: memory.subarray(from, end) }
}
