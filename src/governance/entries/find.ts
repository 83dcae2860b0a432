import type { LogReader } from '../../ledger/index.ts'
import { storedAt } from './stored.ts'

/** Returns the name of the first entry with an index key; its index if the entry cannot be read. */
export async function nameOfFirst(log: LogReader, key: string): Promise<string | undefined> {
  const [index] = await log.find(key)
  if (index === undefined) return undefined
  const entry = await storedAt(log, index)
  return entry.is === 'unreadable' ? String(index) : (entry.digest ?? String(index))
}
