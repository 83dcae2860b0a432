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

/** A receipt as read from a file, usually with the entry that it promises. */
export interface ReceiptGiven {
  readonly file: string
  readonly value: unknown
  /** Why the file is not valid JSON. */
  readonly fault?: string
}

/** A valid receipt. */
export interface AuditedReceipt {
  readonly file: string
  /** The log that issued it. */
  readonly origin: string
  readonly index: number
  readonly digest: string
  /** The kind of the entry in the file; null if it holds none. */
  readonly kind: string | null
  /** `kept`: covered by the checkpoint; `pending`: waiting for one; `promised`: the log is not available here. */
  readonly state: 'kept' | 'pending' | 'promised'
}

/** Why a receipt is invalid or its promise broken. */
export interface ReceiptFault {
  readonly code: AuditCode
  readonly index: number | null
  readonly digest: string | null
  readonly detail: string
}

/** The log that receipts are compared with. */
export interface ReceiptGround {
  readonly folder: string
  readonly origin: string
  readonly size: number
  readonly keys: readonly AuditKey[] | undefined
  readonly pending: readonly PendingEntry[]
}

/** The keys that may sign a log's receipts; undefined if none are listed, so that only the log can confirm them. */
type KeysOf = (origin: string) => readonly AuditKey[] | undefined

/**
 * Verifies that a receipt is kept: its log has the same entry at the same index. If the log is not available, verifies
 * only that one of its keys signed the promise.
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
    const detail = `the promised entry ${index} does not exist`
    return { code: 'ledger/promise-broken', index, digest, detail }
  }
  const there = parseLeaf(found)
  const isSame = toHex(leafHash(digestBytes, found)) === opened.leaf
  if (isSame && !('fault' in there) && there.digest === digest)
    return withoutLeaf(opened, index < size ? 'kept' : 'pending')
  const detail = `entry ${index} is not the promised one`
  return { code: 'ledger/promise-broken', index, digest, detail }
}

type Opened = Omit<AuditedReceipt, 'state'> & Pick<Receipt, 'leaf'>

function withoutLeaf({ leaf: _, ...rest }: Opened, state: AuditedReceipt['state']): AuditedReceipt {
  return { ...rest, state }
}

/** Verifies a receipt without its log: signer, time, and that the entry in the file is the promised one. */
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
    // With no listed keys, only the log itself confirms the promise.
    if (!keys) return true
    const keyring = new Keyring(keys, sha256)
    const der = keys.find(key => key.keyid === keyid)?.der
    const key = der && keyring.find(der)
    return key !== undefined && isSignedBy(key, message, signature) && !keyring.whyNot(key, time)
  })
  if (checked !== true) {
    if (!checked.fault.startsWith('the signature'))
      return { code: 'ledger/receipt-malformed', ...none, detail: checked.fault }
    const detail = `the promise of ${claimOf(receipt).origin} is not signed by a valid key of that log`
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

/** The members of a receipt file. */
const PARTS: ReadonlySet<string> = new Set(['answer', 'handoff', 'origin', 'entry', 'receipt'])

/** Returns why the rest of a receipt file contradicts the promise; readers trust it, so it is verified too. */
function whyOther(
  value: unknown,
  { origin, digest, entry }: Pick<Opened, 'origin' | 'digest'> & { entry: ReadContent | undefined },
): string | undefined {
  if (partOf(value, 'receipt') === undefined) return undefined
  const said = value as Readonly<Record<string, unknown>>
  const unknown = Object.keys(said).find(name => !PARTS.has(name))
  if (unknown !== undefined) return `${quote(unknown)} is not a member of a receipt file`
  if (entry && (entry.is !== 'entry' || entry.digest !== digest))
    return 'the entry in the file is not the promised one'
  const { kind, statement } = entry?.is === 'entry' ? entry : {}
  const ids = partsOf(statement?.predicate.ids)
  const promised = { answer: kind?.replace(/^handoff-/, ''), handoff: ids.handoff, origin }
  const other = Object.entries(promised).find(
    ([name, is]) => Object.hasOwn(said, name) && said[name] !== is,
  )
  return other && `its ${quote(other[0])} is not that of the promised entry`
}

/** Commands write a receipt as one member of a larger object. */
function partOf(value: unknown, name: 'receipt' | 'entry'): unknown {
  const has = typeof value === 'object' && value !== null && Object.hasOwn(value, name)
  return has ? (value as Readonly<Record<typeof name, unknown>>)[name] : undefined
}

/** The claim of a well-formed receipt. */
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
