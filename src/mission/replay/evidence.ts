import { entryAt, keysOf, type ReadEntry, readEntry } from '../../governance/index.ts'
import type { LogReader } from '../../ledger/index.ts'

/** An entry of a log, and its place there. */
export interface FoundEntry {
  readonly index: number
  readonly entry: ReadEntry
}

/** What a log says, for whoever looks by the keys of its entries. */
export interface Evidence {
  /** What stands behind so many entries may be younger than whatever is held against them. */
  readonly known?: number | undefined
  find(key: string): Promise<readonly FoundEntry[]>
}

/** A log itself as evidence. */
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

/** Entries that came along, and were verified, as evidence. */
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
