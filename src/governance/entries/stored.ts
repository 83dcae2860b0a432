import type { LogReader } from '../../ledger/index.ts'
import { type ReadEntry, readEntry } from './entry.ts'
import { isLeafOf, leafAt, nameIn } from './leaf.ts'

/**
 * Returns the entry at an index, compared with its leaf if it is published.
 *
 * Only for erasing and for finding erasures: other callers use `entryAt`, which never returns erased content.
 */
export async function storedAt(log: LogReader, index: number): Promise<ReadEntry> {
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
