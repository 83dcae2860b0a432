import { existsSync } from 'node:fs'
import { WaybillError } from '../../error.ts'
import { guardFiles } from './guards.ts'
import type { LogHead, LogStorage } from './storage.ts'

/**
 * What is known of the log of a repository; nothing where there never was one.
 *
 * @throws WaybillError where a copy of its checkpoint says that there was one: what is gone was not never there.
 */
export async function findLog(
  root: string,
  origin: string,
  storage: LogStorage,
  stateHome: string | undefined,
): Promise<LogHead | undefined> {
  // The guards come first: another process may be making its first entry, and makes the log before them.
  const guard = guardFiles(root, origin, stateHome).find(file => existsSync(file))
  const head = await storage.head()
  if (head || guard === undefined) return head
  throw new WaybillError('ledger-tampered', `the ledger is gone: ${guard} holds its checkpoint`, {
    hint: storage.restore,
  })
}
