import type { LogReader } from '../../ledger/index.ts'
import { type ReadEntry, readEntry } from './entry.ts'
import { isLeafOf, leafAt, nameIn } from './leaf.ts'

const DIGEST = /^[0-9a-f]{64}$/
/** People copy the short form of a digest that they are shown. */
const SHORT_DIGEST = /^[0-9a-f]{8,63}$/
/** A short form is looked for among this many of the newest entries. */
const MOST_SEARCHED = 100_000

/** What stands at an index of a log, held against its leaf in the tree; what is promised alone has none yet. */
export async function entryAt(log: LogReader, index: number): Promise<ReadEntry> {
  const content = await log.content(index)
  if (content === undefined) return { is: 'unreadable', fault: 'the log has no such entry' }
  const entry = readEntry(content)
  if (entry.is === 'unreadable') return entry
  let leaf = await leafAt(log, index)
  if (leaf === undefined) {
    if (index >= (await log.size())) return entry
    // Another process may have published it in between.
    leaf = await leafAt(log, index)
  }
  if (leaf !== undefined && isLeafOf(leaf, entry)) return entry
  return { is: 'differs', digest: leaf && nameIn(leaf), instead: entry }
}

/**
 * The indices that a word of a person means, ascending: an index, an id, an agent, the digest of an entry or of what it
 * is about (whole, or its first eight digits and more), or `<origin>#<digest>` as audit trails have it.
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
    const entry = await entryAt(log, index)
    if (entry.is !== 'unreadable' && entry.digest?.startsWith(short)) found.push(index)
  }
  return found
}
