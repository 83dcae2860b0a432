import { quote } from '../../contract/index.ts'
import {
  decodeBundle,
  leafHash,
  type PendingEntry,
  parseLeaf,
  type Receipt,
  readPromise,
  readTile,
  TILE_WIDTH,
  tileAt,
  toHex,
  verifyReceipt,
} from '../../ledger/index.ts'
import { sha256 } from '../../workspace/index.ts'
import { digestBytes } from '../digest.ts'
import { type ReadContent, readEntry } from '../entries/entry.ts'
import { partsOf } from '../entries/summary.ts'
import type { AuditCode } from './codes.ts'
import { type AuditKey, isSignedBy, Keyring } from './keyring.ts'

/** A receipt as a file holds it, mostly with the entry that it promises. */
export interface ReceiptGiven {
  readonly file: string
  readonly value: unknown
  /** Why it cannot be read as one thing. */
  readonly fault?: string
}

/** What came of a receipt. */
export interface AuditedReceipt {
  readonly file: string
  /** The log that gave it. */
  readonly origin: string
  readonly index: number
  readonly digest: string
  /** What the entry that came with it records; null where none did. */
  readonly kind: string | null
  /** Whether the entry stands under the checkpoint, is promised and waits, or is promised by a log that is not at hand. */
  readonly state: 'kept' | 'pending' | 'promised'
}

/** Why a receipt shows that something is wrong. */
export interface ReceiptFault {
  readonly code: AuditCode
  readonly index: number | null
  readonly digest: string | null
  readonly detail: string
}

/** A log as a receipt is compared with it. */
export interface ReceiptGround {
  readonly folder: string
  readonly origin: string
  readonly size: number
  readonly keys: readonly AuditKey[] | undefined
  readonly pending: readonly PendingEntry[]
}

/** The keys by which the receipts of a log count; absent where nobody has vouched for any, and the log itself has to show it. */
type KeysOf = (origin: string) => readonly AuditKey[] | undefined

/**
 * Tells whether a receipt is kept: the same entry at the same place of its log. Of a log that is not at hand it tells
 * whether one of its keys has promised the entry.
 */
export async function auditReceipt(
  given: ReceiptGiven,
  ground: ReceiptGround | undefined,
  others: KeysOf,
): Promise<AuditedReceipt | ReceiptFault> {
  const isHere = (origin: string) => origin === ground?.origin
  const opened = await openPromise(given, origin =>
    isHere(origin) ? ground?.keys : (others(origin) ?? []),
  )
  if ('code' in opened) return opened
  const { origin, index, digest } = opened
  if (!ground || !isHere(origin)) return withoutLeaf(opened, 'promised')
  const { size } = ground
  const found = index < size ? leafAt(ground, index) : pendingAt(ground, index)
  if (!found) {
    const detail = `there is no entry ${index}, which was promised`
    return { code: 'ledger/promise-broken', index, digest, detail }
  }
  const there = parseLeaf(found)
  const isSame = toHex(leafHash(digestBytes, found)) === opened.leaf
  if (isSame && !('fault' in there) && there.digest === digest)
    return withoutLeaf(opened, index < size ? 'kept' : 'pending')
  const detail = `entry ${index} is not the one that was promised`
  return { code: 'ledger/promise-broken', index, digest, detail }
}

type Opened = Omit<AuditedReceipt, 'state'> & Pick<Receipt, 'leaf'>

function withoutLeaf({ leaf: _, ...rest }: Opened, state: AuditedReceipt['state']): AuditedReceipt {
  return { ...rest, state }
}

/** Verifies what a receipt shows by itself: who promised it and when, and that the entry beside it is the one that is meant. */
async function openPromise(
  { file, value, fault }: ReceiptGiven,
  keysOf: KeysOf,
): Promise<Opened | ReceiptFault> {
  const none = { index: null, digest: null }
  if (fault !== undefined) return { code: 'ledger/receipt-malformed', ...none, detail: fault }
  const receipt = partOf(value, 'receipt') ?? value
  const checked = await verifyReceipt(digestBytes, receipt, (keyid, message, signature) => {
    const { origin = '', time = Number.NaN } = claimOf(receipt)
    const keys = keysOf(origin)
    // Where nobody has vouched for a gateway, the log itself is compared with the promise.
    if (!keys) return true
    const keyring = new Keyring(keys, sha256)
    const der = keys.find(key => key.keyid === keyid)?.der
    const key = der && keyring.find(der)
    return key !== undefined && isSignedBy(key, message, signature) && !keyring.whyNot(key, time)
  })
  if (checked !== true) {
    if (!checked.fault.startsWith('the signature'))
      return { code: 'ledger/receipt-malformed', ...none, detail: checked.fault }
    const detail = `the promise of ${claimOf(receipt).origin} is not signed by a key that counts for it`
    return { code: 'ledger/receipt-untrusted', ...none, detail }
  }
  const { origin = '' } = claimOf(receipt)
  const { index, digest, leaf } = receipt as Receipt
  const content = partOf(value, 'entry')
  const entry = content === undefined ? undefined : readEntry(JSON.stringify(content))
  const detail = whyOther(value, { origin, digest, entry })
  if (detail !== undefined) return { code: 'ledger/receipt-malformed', index, digest, detail }
  const kind = entry?.is === 'entry' ? (entry.kind ?? entry.statement.predicateType) : null
  return { file, origin, index, digest, leaf, kind }
}

/** What the file of a receipt holds: the receipt, what it promises, and both in plain words. */
const PARTS: ReadonlySet<string> = new Set(['answer', 'handoff', 'origin', 'entry', 'receipt'])

/** Why something that stands beside a receipt is not what was promised: whoever reads the file believes that as well. */
function whyOther(
  value: unknown,
  { origin, digest, entry }: Pick<Opened, 'origin' | 'digest'> & { entry: ReadContent | undefined },
): string | undefined {
  if (partOf(value, 'receipt') === undefined) return undefined
  const said = value as Readonly<Record<string, unknown>>
  const unknown = Object.keys(said).find(name => !PARTS.has(name))
  if (unknown !== undefined) return `${quote(unknown)} is no part of the file of a receipt`
  if (entry && (entry.is !== 'entry' || entry.digest !== digest))
    return 'the entry that comes with it is not the one that is promised'
  const { kind, statement } = entry?.is === 'entry' ? entry : {}
  const ids = partsOf(statement?.predicate.ids)
  const promised = { answer: kind?.replace(/^handoff-/, ''), handoff: ids.handoff, origin }
  const other = Object.entries(promised).find(
    ([name, is]) => Object.hasOwn(said, name) && said[name] !== is,
  )
  return other && `its ${quote(other[0])} is not that of the entry that is promised`
}

/** A receipt as a command writes it stands among other things. */
function partOf(value: unknown, name: 'receipt' | 'entry'): unknown {
  const has = typeof value === 'object' && value !== null && Object.hasOwn(value, name)
  return has ? (value as Readonly<Record<typeof name, unknown>>)[name] : undefined
}

/** What a receipt claims, once it has been found to be well-formed. */
function claimOf(receipt: unknown): { readonly origin?: string; readonly time?: number } {
  const claim = readPromise((receipt as Receipt).promise)
  return 'fault' in claim ? {} : claim
}

function leafAt({ folder, size }: ReceiptGround, index: number): Uint8Array | undefined {
  try {
    const tile = tileAt('entries', Math.floor(index / TILE_WIDTH), size)
    return decodeBundle(readTile(folder, tile))?.[index % TILE_WIDTH]
  } catch {
    return undefined
  }
}

function pendingAt({ pending }: ReceiptGround, index: number): Uint8Array | undefined {
  return pending.find(entry => entry.index === index)?.leaf
}
