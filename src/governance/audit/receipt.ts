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
import { readEntry } from '../entries/entry.ts'
import type { AuditCode } from './codes.ts'
import { type AuditKey, isSignedBy, Keyring } from './keyring.ts'

/** A receipt as a file holds it, mostly with the entry that it promises. */
export interface ReceiptGiven {
  readonly file: string
  readonly value: unknown
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
  { file, value }: ReceiptGiven,
  keysOf: KeysOf,
): Promise<Opened | ReceiptFault> {
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
  const none = { index: null, digest: null }
  if (checked !== true) {
    if (!checked.fault.startsWith('the signature'))
      return { code: 'ledger/receipt-malformed', ...none, detail: checked.fault }
    const detail = `the promise of ${claimOf(receipt).origin} is not signed by a key that counts for it`
    return { code: 'ledger/receipt-untrusted', ...none, detail }
  }
  const { origin = '' } = claimOf(receipt)
  const { index, digest, leaf } = receipt as Receipt
  const entry = partOf(value, 'entry')
  if (entry === undefined) return { file, origin, index, digest, leaf, kind: null }
  const read = readEntry(JSON.stringify(entry))
  if (read.is === 'entry' && read.digest === digest)
    return { file, origin, index, digest, leaf, kind: read.kind ?? read.statement.predicateType }
  const detail = 'the entry that comes with it is not the one that is promised'
  return { code: 'ledger/receipt-malformed', index, digest, detail }
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
