import { WaybillError } from '../../error.ts'
import { entryAt, indicesOf, summaryOf } from '../../governance/index.ts'
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
  const [first] = indices
  if (first === undefined) {
    const near = await nearIds(log, word)
    const hint = near.length === 0 ? 'waybill log show lists entries' : `near: ${near.join(', ')}`
    throw new WaybillError('not-found', `no entry is named by ${word}`, { hint })
  }
  if (indices.length === 1) return first
  const named: string[] = []
  for (const index of indices.slice(0, MOST_NAMED)) {
    const entry = summaryOf(index, await entryAt(log, index))
    // Its own name; others only speak of what has this digest.
    if (entry.digest !== null && word.endsWith(entry.digest)) return index
    named.push(`${index} (${entry.kind ?? entry.state}${entry.at === null ? '' : `, ${entry.at}`})`)
  }
  const newest = indices.at(-1) ?? first
  if (summaryOf(newest, await entryAt(log, newest)).ids.handoff === word) return newest
  const more = indices.length > named.length ? ', …' : ''
  throw new WaybillError('usage', `${indices.length} entries are named by ${word}`, {
    hint: `give the index of one: ${named.join(', ')}${more}`,
  })
}
