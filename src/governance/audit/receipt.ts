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
import type { AuditCode } from './codes.ts'
import { type AuditKey, isSignedBy, Keyring } from './keyring.ts'

/** What came of a receipt. */
export interface AuditedReceipt {
  readonly index: number
  readonly digest: string
  /** Whether the entry stands under the checkpoint, or is promised and waits. */
  readonly state: 'kept' | 'pending'
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

/** Tells whether a log keeps what a receipt promises: the same entry at the same place. */
export async function auditReceipt(
  value: unknown,
  ground: ReceiptGround,
): Promise<AuditedReceipt | ReceiptFault> {
  const receipt = receiptIn(value)
  const keyring = new Keyring(ground.keys, sha256)
  const by = new Map(ground.keys?.map(({ keyid, der }) => [keyid, der]))
  const checked = await verifyReceipt(digestBytes, receipt, (keyid, message, signature) => {
    const der = by.get(keyid)
    const key = der && keyring.find(der)
    // Where nobody has vouched for a gateway, the log itself is compared with the promise.
    if (!ground.keys) return true
    const at = timeOf(receipt)
    return key !== undefined && isSignedBy(key, message, signature) && !keyring.whyNot(key, at)
  })
  const none = { index: null, digest: null }
  if (checked !== true) {
    const isForeign = checked.fault.startsWith('the signature')
    const code = isForeign ? 'ledger/receipt-untrusted' : 'ledger/receipt-malformed'
    return { code, ...none, detail: checked.fault }
  }
  const { index, digest, leaf, promise } = receipt as Receipt
  const claim = readPromise(promise)
  if ('fault' in claim || claim.origin !== ground.origin) {
    const detail = `it is not a receipt of ${ground.origin}`
    return { code: 'ledger/receipt-untrusted', ...none, detail }
  }
  const found = index < ground.size ? leafAt(ground, index) : pendingAt(ground, index)
  if (!found) {
    const detail = `there is no entry ${index}, which was promised`
    return { code: 'ledger/promise-broken', index, digest, detail }
  }
  const there = parseLeaf(found)
  const isSame =
    toHex(leafHash(digestBytes, found)) === leaf && !('fault' in there) && there.digest === digest
  if (isSame) return { index, digest, state: index < ground.size ? 'kept' : 'pending' }
  const detail = `entry ${index} is not the one that was promised`
  return { code: 'ledger/promise-broken', index, digest, detail }
}

/** A receipt as a command writes it stands among other things. */
function receiptIn(value: unknown): unknown {
  const has = typeof value === 'object' && value !== null && Object.hasOwn(value, 'receipt')
  return has ? (value as { readonly receipt: unknown }).receipt : value
}

/** When a receipt says that it was given; it has been found to be well-formed before anybody asks. */
function timeOf(receipt: unknown): number {
  const claim = readPromise((receipt as Receipt).promise)
  return 'fault' in claim ? Number.NaN : claim.time
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
