import { parseInstant } from '../../document/index.ts'
import {
  type EntryKeys,
  formatEnvelope,
  paeOf,
  parseEnvelope,
  parseLeaf,
  parseStatement,
  STATEMENT_PAYLOAD,
  type Statement,
  type StoredEntry,
  toHex,
} from '../../ledger/index.ts'
import { digestBytes } from '../digest.ts'
import { keysOfEntry } from '../entries/entry.ts'
import { formatTombstone, parseTombstone, type Tombstone } from '../entries/tombstone.ts'
import { type EntryKind, kindOf } from '../urn.ts'
import type { AuditCode } from './codes.ts'
import { isSignedBy, type Keyring, type KnownKey } from './keyring.ts'

/** What is wrong with one entry. */
export interface EntryFault {
  readonly code: AuditCode
  readonly index: number
  /** The name of the entry, as far as its leaf tells it. */
  readonly digest: string | null
  readonly detail: string
}

/** An entry about which nothing is wrong. */
export type SoundEntry = {
  readonly digest: string
  readonly keys: EntryKeys
} & (
  | {
      readonly is: 'entry'
      readonly kind: EntryKind
      readonly at: number
      readonly statement: Statement
      readonly key: KnownKey
    }
  | { readonly is: 'erased'; readonly tombstone: Tombstone }
)

const HEAD = '{"payload":"'

/** Verifies one entry: leaf, content, signature, key and statement. */
export function auditEntry(
  { index, leaf: bytes, content }: StoredEntry,
  keyring: Keyring,
): SoundEntry | EntryFault {
  const leaf = parseLeaf(bytes)
  if ('fault' in leaf)
    return { code: 'ledger/leaf-malformed', index, digest: null, detail: leaf.fault }
  const { digest, signature } = leaf
  const fault = (code: AuditCode, detail: string): EntryFault => ({ code, index, digest, detail })
  if (content === undefined)
    return fault('ledger/content-missing', 'there is neither a content nor a tombstone')
  if (content.startsWith('{"tombstone":')) return auditTombstone(content, digest, fault)
  const key = keyring.find(leaf.publicKey)
  if (!key) return fault('ledger/leaf-malformed', 'the key of the leaf is no P-256 key')
  const payload = payloadOf(content, key.keyid, signature)
  if (!payload) return fault(...whyOther(content, digest))
  const message = paeOf(STATEMENT_PAYLOAD, payload)
  const computed = toHex(digestBytes(message))
  if (computed !== digest)
    return fault('ledger/content-differs', `the content is that of the entry ${computed}`)
  if (!isSignedBy(key, message, signature))
    return fault('ledger/bad-signature', `the signature is not one by the key ${key.keyid}`)
  return auditStatement(payload, key, keyring, digest, fault)
}

type ToFault = (code: AuditCode, detail: string) => EntryFault

function auditStatement(
  payload: Uint8Array,
  key: KnownKey,
  keyring: Keyring,
  digest: string,
  fault: ToFault,
): SoundEntry | EntryFault {
  const statement = parseStatement(payload)
  if ('fault' in statement) return fault('ledger/statement-malformed', statement.fault)
  const { predicateType, predicate } = statement
  const kind = kindOf(predicateType)
  if (!kind) return fault('ledger/unknown-kind', `the kind ${predicateType} is not known`)
  const at = typeof predicate.at === 'string' ? parseInstant(predicate.at) : undefined
  if (at === undefined) return fault('ledger/statement-malformed', 'the statement has no time')
  const why = keyring.whyNot(key, at)
  if (why) {
    const who = key.known ? ` of ${key.known.holder}` : ''
    return fault(why, `it is signed at ${predicate.at} with the key ${key.keyid}${who}`)
  }
  return { is: 'entry', digest, kind, at, statement, key, keys: keysOfEntry(digest, statement) }
}

function auditTombstone(content: string, digest: string, fault: ToFault): SoundEntry | EntryFault {
  const tombstone = parseTombstone(content)
  if (!tombstone || formatTombstone(tombstone) !== content)
    return fault('ledger/tombstone-malformed', 'the tombstone does not have the parts of one')
  if (tombstone.digest !== digest)
    return fault('ledger/content-differs', `the tombstone is that of the entry ${tombstone.digest}`)
  return { is: 'erased', digest, tombstone, keys: tombstone.keys }
}

/**
 * The payload of a content that is the one envelope which its leaf allows.
 *
 * All but the payload follows from the leaf, so nothing has to be parsed: this runs over every entry of a log.
 */
function payloadOf(content: string, keyid: string, signature: Uint8Array): Buffer | undefined {
  const sig = Buffer.from(signature).toString('base64')
  const empty = formatEnvelope({
    payloadType: STATEMENT_PAYLOAD,
    payload: '',
    signatures: [{ keyid, sig }],
  })
  const after = empty.slice(HEAD.length)
  if (!content.startsWith(HEAD) || !content.endsWith(after)) return undefined
  const text = content.slice(HEAD.length, content.length - after.length)
  const payload = Buffer.from(text, 'base64')
  return isEncoded(text, payload) ? payload : undefined
}

/** Whether a text is how bytes that were read from it are written; Node reads more than the standard alphabet. */
function isEncoded(text: string, bytes: Buffer): boolean {
  const padding = (3 - (bytes.length % 3)) % 3
  const last = bytes.subarray(bytes.length - 3 + (padding > 0 ? padding : 0))
  return (
    text.length === ((bytes.length + padding) / 3) * 4 &&
    !text.includes('-') &&
    !text.includes('_') &&
    text.endsWith(last.toString('base64'))
  )
}

/** Why a content is not the one that its leaf allows. */
function whyOther(content: string, digest: string): [AuditCode, string] {
  const envelope = parseEnvelope(content)
  if ('fault' in envelope) return ['ledger/content-malformed', envelope.fault]
  const payload = Buffer.from(envelope.payload, 'base64')
  const computed = toHex(digestBytes(paeOf(envelope.payloadType, payload)))
  return computed === digest
    ? ['ledger/content-differs', 'the content has other signatures or keys than the leaf']
    : ['ledger/content-differs', `the content is that of the entry ${computed}`]
}
