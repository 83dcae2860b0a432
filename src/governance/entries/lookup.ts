import type { LogReader } from '../../ledger/index.ts'
import { type ReadEntry, readEntry } from './entry.ts'
import { erasuresIn, isErasable, tombstoneOf } from './erased.ts'
import { storedAt } from './stored.ts'
import { formatTombstone } from './tombstone.ts'

const DIGEST = /^[0-9a-f]{64}$/
/** The short form of a digest, as shown to people. */
const SHORT_DIGEST = /^[0-9a-f]{8,63}$/
/** How many of the newest entries are searched for a short digest. */
const MOST_SEARCHED = 100_000

/** Returns the entry at an index, compared with its leaf; erased entries stay erased even if their content is back. */
export async function entryAt(log: LogReader, index: number): Promise<ReadEntry> {
  const entry = await storedAt(log, index)
  if (entry.is !== 'entry' || !isErasable(entry)) return entry
  const erasure = (await erasuresIn(log)).get(entry.digest)
  if (!erasure) return entry
  const tombstone = tombstoneOf(entry, erasure)
  return { is: 'erased', digest: entry.digest, tombstone, isThereAgain: true }
}

/** Returns the raw content of an entry, to be passed on; a tombstone if it was erased, even if the content is back. */
export async function contentAt(log: LogReader, index: number): Promise<string | undefined> {
  const content = await log.content(index)
  const erasures = await erasuresIn(log)
  if (content === undefined || erasures.size === 0) return content
  const entry = readEntry(content)
  if (entry.is !== 'entry' || !isErasable(entry)) return content
  const erasure = erasures.get(entry.digest)
  return erasure ? formatTombstone(tombstoneOf(entry, erasure)) : content
}

/**
 * Finds entries by user input, and returns their indices, ascending. Accepts an index, an id, an agent, the digest of
 * an entry or its subject (whole, or at least the first eight digits), or `<origin>#<digest>` as in audit trails.
 */
export async function indicesOf(log: LogReader, word: string): Promise<readonly number[]> {
  const trail = `${log.origin}#`
  const wanted = word.startsWith(trail) ? word.slice(trail.length) : word
  if (/^(?:0|[1-9][0-9]{0,14})$/.test(wanted)) {
    const index = Number(wanted)
    if (index < (await log.size())) return [index]
  }
  const keys = DIGEST.test(wanted) ? ['digest', 'id'] : ['id', 'agent']
  const found = await Promise.all(keys.map(key => log.find(`${key}:${wanted}`)))
  const indices = [...new Set(found.flat())].sort((a, b) => a - b)
  if (indices.length > 0 || !SHORT_DIGEST.test(wanted)) return indices
  return namedShortly(log, wanted)
}

async function namedShortly(log: LogReader, short: string): Promise<readonly number[]> {
  const size = await log.size()
  const found: number[] = []
  for (let index = Math.max(0, size - MOST_SEARCHED); index < size; index++) {
    const entry = await storedAt(log, index)
    if (entry.is !== 'unreadable' && entry.digest?.startsWith(short)) found.push(index)
  }
  return found
}
