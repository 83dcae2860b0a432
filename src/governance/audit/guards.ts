import { counted } from '../../contract/index.ts'
import {
  type Checkpoint,
  isSame,
  type ReadTile,
  readTile,
  rootFromTiles,
  tileAt,
} from '../../ledger/index.ts'
import { readOwnFile } from '../../workspace/index.ts'
import { digestBytes } from '../digest.ts'
import { MOST_BYTES, openTrusted, whyNot } from './checkpoint.ts'
import type { AuditCode } from './codes.ts'
import type { AuditTrust } from './trust.ts'

/** A copy of the last checkpoint outside the log that matches it. */
export interface Guarded {
  readonly file: string
  readonly size: number
}

/** A fault that a guard shows. */
export interface GuardFault {
  readonly code: AuditCode
  readonly file: string
  readonly detail: string
  /** The number of entries expected, if that is the only difference. */
  readonly upTo?: number
}

/** The log that guards are compared with. */
export interface GuardGround {
  readonly folder: string
  readonly published: Checkpoint
  readonly trust: AuditTrust
  /** Whether its tiles are damaged, so that they prove nothing about earlier checkpoints. */
  readonly isDamaged: boolean
}

/** Compares a log with a copy of its checkpoint kept elsewhere; undefined if both are empty. */
export async function auditGuard(
  file: string,
  { folder, published, trust, isDamaged }: GuardGround,
): Promise<Guarded | GuardFault | undefined> {
  const { size } = published
  let text: string | undefined
  try {
    text = readOwnFile(file, MOST_BYTES)?.toString()
  } catch (cause) {
    const why = whyNot(cause)
    // Only the owner may read the keys folder; an audit under another account does not need it.
    if (why === 'EACCES') return absent(file, `this account may not read it, so ${UNKNOWN_AGE}`)
    return { code: 'ledger/guard-damaged', file, detail: `it cannot be read (${why})` }
  }
  if (text === undefined)
    return size === 0 ? undefined : absent(file, `it does not exist, so ${UNKNOWN_AGE}`)
  const opened = openTrusted(text, trust, true)
  if ('code' in opened) return { code: 'ledger/guard-damaged', file, detail: opened.detail }
  const { checkpoint } = opened
  const isOurs =
    checkpoint.size === size
      ? isSame(checkpoint.root, published.root)
      : await isBeginning(checkpoint, folder, Math.max(size, checkpoint.size))
  if (isOurs && checkpoint.size <= size) return { file, size: checkpoint.size }
  if (isOurs) {
    const detail = `it covers ${counted(checkpoint.size, 'entry', 'entries')}, but the checkpoint only ${size}`
    return { code: 'ledger/unpublished', file, detail, upTo: checkpoint.size }
  }
  const what = `it was signed for ${counted(checkpoint.size, 'entry', 'entries')}`
  if (isDamaged && checkpoint.size < size) {
    const detail = `${what}, but the tiles needed to compare them are damaged`
    return { code: 'ledger/guard-not-compared', file, detail }
  }
  return checkpoint.size > size
    ? { code: 'ledger/rolled-back', file, detail: `${what}, but the ledger has ${size}` }
    : { code: 'ledger/forked', file, detail: `${what} that differ from those of the ledger` }
}

const UNKNOWN_AGE = 'an old copy of the ledger would go unnoticed'

function absent(file: string, detail: string): GuardFault {
  return { code: 'ledger/guard-absent', file, detail }
}

/** Whether a log of size `of` begins with the entries of a checkpoint. */
async function isBeginning(
  { size, root }: Checkpoint,
  folder: string,
  of: number,
): Promise<boolean> {
  // A tile that was partial then is a prefix of a wider one now.
  const read: ReadTile = ({ level, index, width }) =>
    readTile(folder, tileAt(level, index, of)).subarray(0, 32 * width)
  try {
    return isSame(await rootFromTiles(digestBytes, size, read), root)
  } catch {
    return false
  }
}
