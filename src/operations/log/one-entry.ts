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

/** A log that something is published of. */
export interface PublishedLog extends OpenedLedger {
  readonly log: LogReader
  readonly origin: string
  readonly signed: SignedCheckpoint
}

/** Opens the log of a repository, which must have a checkpoint. */
export async function openPublished(app: App): Promise<PublishedLog> {
  const opened = await openLedger(app)
  const { log, origin } = opened
  const signed = await log?.checkpoint()
  if (log && origin !== null && signed) return { ...opened, log, origin, signed }
  throw new WaybillError('not-found', 'nothing is recorded here yet', {
    hint: 'the first send or receive makes the log',
  })
}

/** So many candidates are named. */
const MOST_NAMED = 10

/** Finds the one entry that a word names: its index, its digest, the id of a handoff (its last answer), or an id that no other entry has. */
export async function findOne(log: LogReader, word: string): Promise<number> {
  const indices = await indicesOf(log, word)
  const newest = indices.at(-1)
  if (newest === undefined) {
    const near = await nearIds(log, word)
    const hint = near.length === 0 ? 'waybill log show lists entries' : `near: ${near.join(', ')}`
    throw new WaybillError('not-found', `no entry is named by ${word}`, { hint })
  }
  if (await isAboutHandoff(log, newest, word)) return findAnswer(log, indices, word)
  if (indices.length === 1) return newest
  const named: string[] = []
  for (const index of indices.slice(0, MOST_NAMED)) {
    const entry = summaryOf(index, await entryAt(log, index))
    // Its own name; others only speak of what has this digest.
    if (entry.digest !== null && word.endsWith(entry.digest)) return index
    named.push(`${index} (${entry.kind ?? entry.state}${entry.at === null ? '' : `, ${entry.at}`})`)
  }
  const more = indices.length > named.length ? ', …' : ''
  throw new WaybillError('usage', `${indices.length} entries are named by ${word}`, {
    hint: `give the index of one: ${named.join(', ')}${more}`,
  })
}

async function isAboutHandoff(log: LogReader, index: number, word: string): Promise<boolean> {
  return summaryOf(index, await entryAt(log, index)).ids.handoff === word
}

/** The last answer to a handoff; what people stated about it, or about the answer, came after it perhaps. */
async function findAnswer(
  log: LogReader,
  indices: readonly number[],
  handoff: string,
): Promise<number> {
  for (const index of indices.toReversed()) {
    const entry = summaryOf(index, await entryAt(log, index))
    // What was changed may have been the answer: whoever takes it is told.
    if (isAnswer(entry) || !isAsRecorded(entry)) return index
  }
  const shown = indices.slice(-MOST_NAMED).join(', ')
  throw new WaybillError('not-found', `no gateway has answered the handoff ${handoff} here`, {
    hint: `entries about it, each named by its index: ${shown}`,
  })
}

/** Whether an entry is what a gateway answered to a handoff, to send it or to receive it. */
export function isAnswer({ kind }: Pick<EntrySummary, 'kind'>): boolean {
  return kind?.startsWith('handoff-') ?? false
}
