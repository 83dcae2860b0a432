import type { LogReader } from '../../ledger/index.ts'
import { storedAt } from './stored.ts'

/** The name of the first entry that has a key; its place where the name cannot be read. */
export async function nameOfFirst(log: LogReader, key: string): Promise<string | undefined> {
  const [index] = await log.find(key)
  if (index === undefined) return undefined
  const entry = await storedAt(log, index)
  return entry.is === 'unreadable' ? String(index) : (entry.digest ?? String(index))
}
