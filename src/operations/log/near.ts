import { nearest } from '../../contract/index.ts'
import { entryAt, summaryOf } from '../../governance/index.ts'
import type { LogReader } from '../../ledger/index.ts'

/** Number of newest entries searched for similar ids. */
const MOST_SEARCHED = 2000
const MOST_SHOWN = 3
/** Minimum length of a common prefix. */
const SHORTEST_BEGINNING = 4

/** Returns ids of the newest entries that are similar to a word. */
export async function nearIds(log: LogReader, word: string): Promise<readonly string[]> {
  const size = await log.size()
  const ids = new Set<string>()
  for (let index = size - 1; index >= Math.max(0, size - MOST_SEARCHED); index--) {
    const entry = summaryOf(index, await entryAt(log, index))
    for (const id of [...Object.values(entry.ids).flat(), ...entry.agents]) ids.add(id)
    if (entry.digest !== null) ids.add(entry.digest)
  }
  const begun = word.length < SHORTEST_BEGINNING ? [] : [...ids].filter(id => id.startsWith(word))
  const close = nearest(word, ids)
  return [...new Set([...begun, ...(close === undefined ? [] : [close])])].slice(0, MOST_SHOWN)
}
