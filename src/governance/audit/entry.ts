import { parseInstant } from '../../document/index.ts'
import {
  type EntryKeys,
  type Leaf,
  LONGEST_LINE,
  parseEnvelope,
  parseLeaf,
  parseStatement,
  parseStatementParts,
  STATEMENT_PAYLOAD,
  type Statement,
  type StoredEntry,
  signedBytes,
  toBase64,
  toHex,
} from '../../ledger/index.ts'
import { digestBytes } from '../digest.ts'
import { keysOfEntry } from '../entries/entry.ts'
import { KEYED_MEMBERS } from '../entries/keys.ts'
import { formatTombstone, parseTombstone, type Tombstone } from '../entries/tombstone.ts'
import { type EntryKind, kindOf } from '../urn.ts'
import type { AuditCode } from './codes.ts'
import { type Confirmed, confirm } from './confirm.ts'
import type { Keyring, KnownKey } from './keyring.ts'

/** A fault of one entry. */
export interface EntryFault {
  readonly code: AuditCode
  readonly index: number
  /** Null if the leaf cannot be parsed. */
  readonly digest: string | null
  readonly detail: string
}

/** An entry without faults. */
export type SoundEntry = {
  readonly digest: string
  readonly keys: EntryKeys
} & (
  | {
      readonly is: 'entry'
      readonly kind: EntryKind
      readonly at: number
      readonly key: KnownKey
      /** The predicate of an entry that records an erasure. */
      readonly erasure?: Statement['predicate']
    }
  | { readonly is: 'erased'; readonly tombstone: Tombstone }
)

/** Verifies one entry: leaf, content, signature, key and statement. */
export function auditEntry(entry: StoredEntry, keyring: Keyring): SoundEntry | EntryFault {
  const { index } = entry
  const confirmed = confirm(entry, keyring)
  if (!confirmed) return auditOther(entry, keyring)
  return auditStatement(confirmed, keyring, faultAt(index, confirmed.digest))
}

type ToFault = (code: AuditCode, detail: string) => EntryFault

const faultAt =
  (index: number, digest: string): ToFault =>
  (code, detail) => ({ code, index, digest, detail })

/** Finds the fault of an entry that the fast path did not confirm. */
function auditOther(
  { index, leaf: bytes, content: line }: StoredEntry,
  keyring: Keyring,
): SoundEntry | EntryFault {
  const leaf = parseLeaf(bytes)
  if ('fault' in leaf)
    return { code: 'ledger/leaf-malformed', index, digest: null, detail: leaf.fault }
  const { digest } = leaf
  const fault = faultAt(index, digest)
  if (line === undefined)
    return fault('ledger/content-missing', 'it has neither content nor a tombstone')
  if (line.length > LONGEST_LINE)
    return fault(
      'ledger/content-malformed',
      `it has ${line.length} bytes, more than the limit of ${LONGEST_LINE}`,
    )
  const content = line.toString()
  if (content.startsWith('{"tombstone":')) return auditTombstone(content, digest, fault)
  const key = keyring.find(leaf.publicKey)
  if (!key) return fault('ledger/leaf-malformed', 'the key of the leaf is not a P-256 key')
  return fault(...whyOther(content, leaf, key))
}

/** The fields of predicates that are parsed. */
const WANTED: ReadonlySet<string> = new Set(['at', ...KEYED_MEMBERS])

function auditStatement(
  { digest, key, payload }: Confirmed,
  keyring: Keyring,
  fault: ToFault,
): SoundEntry | EntryFault {
  const statement = parseStatementParts(payload, WANTED)
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
  const keys = keysOfEntry(digest, statement)
  if (kind !== 'erasure') return { is: 'entry', digest, kind, at, key, keys }
  const whole = parseStatement(payload)
  const erasure = 'fault' in whole ? {} : whole.predicate
  return { is: 'entry', digest, kind, at, key, keys, erasure }
}

function auditTombstone(content: string, digest: string, fault: ToFault): SoundEntry | EntryFault {
  const tombstone = parseTombstone(content)
  if (!tombstone || formatTombstone(tombstone) !== content)
    return fault('ledger/tombstone-malformed', 'the tombstone is not in canonical form')
  if (tombstone.digest !== digest)
    return fault('ledger/content-differs', `the tombstone is that of the entry ${tombstone.digest}`)
  return { is: 'erased', digest, tombstone, keys: tombstone.keys }
}

/** Returns why content does not match its leaf, or is not signed by its key. */
function whyOther(content: string, leaf: Leaf, { keyid }: KnownKey): [AuditCode, string] {
  const envelope = parseEnvelope(content)
  if ('fault' in envelope) return ['ledger/content-malformed', envelope.fault]
  const computed = toHex(digestBytes(signedBytes(envelope)))
  if (computed !== leaf.digest)
    return ['ledger/content-differs', `the content is that of the entry ${computed}`]
  const [signature, another] = envelope.signatures
  const isLeafs =
    envelope.payloadType === STATEMENT_PAYLOAD &&
    another === undefined &&
    signature?.keyid === keyid &&
    signature.sig === toBase64(leaf.signature)
  return isLeafs
    ? ['ledger/bad-signature', `the signature is not by the key ${keyid}`]
    : ['ledger/content-differs', 'the content has other signatures or keys than the leaf']
}
