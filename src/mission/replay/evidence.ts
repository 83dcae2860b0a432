import { entryAt, keysOf, type ReadEntry, readEntry } from '../../governance/index.ts'
import type { LogReader } from '../../ledger/index.ts'

/** A log entry and its index. */
export interface FoundEntry {
  readonly index: number
  readonly entry: ReadEntry
}

/** Log entries that can be looked up by key. */
export interface Evidence {
  /** Entries from this index on may be newer than the data that they are compared with. */
  readonly known?: number | undefined
  find(key: string): Promise<readonly FoundEntry[]>
}

/** Uses a log as evidence. */
export function evidenceOf(log: LogReader, known?: number): Evidence {
  return {
    known,
    find: async key => {
      const found: FoundEntry[] = []
      for (const index of await log.find(key))
        found.push({ index, entry: await entryAt(log, index) })
      return found
    },
  }
}

/** Uses verified entries of a bundle as evidence. */
export function evidenceIn(
  entries: readonly { readonly index: number; readonly content: string }[],
): Evidence {
  const byKey = new Map<string, FoundEntry[]>()
  for (const { index, content } of entries) {
    const found = { index, entry: readEntry(content) }
    const { keys } = keysOf(content)
    for (const key of [...keys.unique, ...keys.also]) {
      const known = byKey.get(key)
      if (known) known.push(found)
      else byKey.set(key, [found])
    }
  }
  return { find: async key => byKey.get(key) ?? [] }
}
