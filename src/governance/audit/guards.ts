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

/** What a copy of the last checkpoint outside the log says about it. */
export interface Guarded {
  readonly file: string
  readonly size: number
}

/** What a guard shows to be wrong. */
export interface GuardFault {
  readonly code: AuditCode
  readonly file: string
  readonly detail: string
  /** How many entries there should be, where that is all that may be wrong. */
  readonly upTo?: number
}

/** A log as its guards are compared with it. */
export interface GuardGround {
  readonly folder: string
  readonly published: Checkpoint
  readonly trust: AuditTrust
  /** That its tiles are not what they were, so that they tell nothing about what was signed. */
  readonly isDamaged: boolean
}

/** Compares a log with a checkpoint that was kept elsewhere; nothing where neither has an entry. */
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
    // The keys are for their owner alone; who verifies under another account needs none of them.
    if (why === 'EACCES') return absent(file, `this account may not read it, so ${UNTOLD}`)
    return { code: 'ledger/guard-damaged', file, detail: `it cannot be read (${why})` }
  }
  if (text === undefined)
    return size === 0 ? undefined : absent(file, `it is not there, so ${UNTOLD}`)
  const opened = openTrusted(text, trust, true)
  if ('code' in opened) return { code: 'ledger/guard-damaged', file, detail: opened.detail }
  const { checkpoint } = opened
  const isOurs =
    checkpoint.size === size
      ? isSame(checkpoint.root, published.root)
      : await isBeginning(checkpoint, folder, Math.max(size, checkpoint.size))
  if (isOurs && checkpoint.size <= size) return { file, size: checkpoint.size }
  if (isOurs) {
    const detail = `it covers ${counted(checkpoint.size, 'entry', 'entries')}, and the checkpoint ${size} of them`
    return { code: 'ledger/unpublished', file, detail, upTo: checkpoint.size }
  }
  const what = `it was signed for ${counted(checkpoint.size, 'entry', 'entries')}`
  if (isDamaged && checkpoint.size < size) {
    const detail = `${what}, and the tiles that would tell whether these are the same are damaged`
    return { code: 'ledger/guard-not-compared', file, detail }
  }
  return checkpoint.size > size
    ? { code: 'ledger/rolled-back', file, detail: `${what}, and the ledger has ${size}` }
    : { code: 'ledger/forked', file, detail: `${what}, which are not those of the ledger` }
}

const UNTOLD = 'whether this is an old copy of the ledger cannot be told'

function absent(file: string, detail: string): GuardFault {
  return { code: 'ledger/guard-absent', file, detail }
}

/** Whether a log of some size begins with the entries of a checkpoint. */
async function isBeginning(
  { size, root }: Checkpoint,
  folder: string,
  of: number,
): Promise<boolean> {
  // A tile that was partial then is part of a wider one now.
  const read: ReadTile = ({ level, index, width }) =>
    readTile(folder, tileAt(level, index, of)).subarray(0, 32 * width)
  try {
    return isSame(await rootFromTiles(digestBytes, size, read), root)
  } catch {
    return false
  }
}
