import type { LogReader } from '../../ledger/index.ts'
import { readEntry } from './entry.ts'

/** The name of the first entry that has a key; its place where the name cannot be read. */
export async function nameOfFirst(log: LogReader, key: string): Promise<string | undefined> {
  const [index] = await log.find(key)
  if (index === undefined) return undefined
  const content = await log.content(index)
  const entry = content === undefined ? undefined : readEntry(content)
  return entry === undefined || entry.is === 'unreadable' ? String(index) : entry.digest
}
