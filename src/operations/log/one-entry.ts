import { WaybillError } from '../../error.ts'
import {
  type EntrySummary,
  entryAt,
  indicesOf,
  isAsRecorded,
  summaryOf,
} from '../../governance/index.ts'
import type { LogReader, SignedCheckpoint } from '../../ledger/index.ts'
import type { App } from '../operation.ts'
import { nearIds } from './near.ts'
import { type OpenedLedger, openLedger } from './open.ts'

/** A log with a checkpoint. */
export interface PublishedLog extends OpenedLedger {
  readonly log: LogReader
  readonly origin: string
  readonly signed: SignedCheckpoint
}

/**
 * Opens the log of a repository.
 *
 * @throws {WaybillError} 'not-found' when it has no checkpoint
 */
export async function openPublished(app: App): Promise<PublishedLog> {
  const opened = await openLedger(app)
  const { log, origin } = opened
  const signed = await log?.checkpoint()
  if (log && origin !== null && signed) return { ...opened, log, origin, signed }
  throw new WaybillError('not-found', 'no log entries here yet', {
    hint: 'the first send or receive creates the log',
  })
}

/** Maximum number of candidates shown. */
const MOST_NAMED = 10

/** Finds an entry by its index, digest, handoff id (for the latest answer), or an id unique to it. */
export async function findOne(log: LogReader, word: string): Promise<number> {
  const indices = await indicesOf(log, word)
  const newest = indices.at(-1)
  if (newest === undefined) {
    const near = await nearIds(log, word)
    const hint =
      near.length === 0 ? 'run waybill log show to list entries' : `did you mean ${near.join(', ')}`
    throw new WaybillError('not-found', `no entry matches ${word}`, { hint })
  }
  if (await isAboutHandoff(log, newest, word)) return findAnswer(log, indices, word)
  if (indices.length === 1) return newest
  const named: string[] = []
  for (const index of indices.slice(0, MOST_NAMED)) {
    const entry = summaryOf(index, await entryAt(log, index))
    // The entry itself; others only refer to this digest.
    if (entry.digest !== null && word.endsWith(entry.digest)) return index
    named.push(`${index} (${entry.kind ?? entry.state}${entry.at === null ? '' : `, ${entry.at}`})`)
  }
  const more = indices.length > named.length ? ', …' : ''
  throw new WaybillError('usage', `${indices.length} entries match ${word}`, {
    hint: `pass the index of one: ${named.join(', ')}${more}`,
  })
}

async function isAboutHandoff(log: LogReader, index: number, word: string): Promise<boolean> {
  return summaryOf(index, await entryAt(log, index)).ids.handoff === word
}

/** Finds the latest answer to a handoff; later entries may be statements about it. */
async function findAnswer(
  log: LogReader,
  indices: readonly number[],
  handoff: string,
): Promise<number> {
  for (const index of indices.toReversed()) {
    const entry = summaryOf(index, await entryAt(log, index))
    // A changed entry may be the answer; the caller reports it.
    if (isAnswer(entry) || !isAsRecorded(entry)) return index
  }
  const shown = indices.slice(-MOST_NAMED).join(', ')
  throw new WaybillError('not-found', `no answer to the handoff ${handoff} here`, {
    hint: `related entries, by index: ${shown}`,
  })
}

/** Tells whether an entry is a gateway's answer to a handoff that was sent or received. */
export function isAnswer({ kind }: Pick<EntrySummary, 'kind'>): boolean {
  return kind?.startsWith('handoff-') ?? false
}
