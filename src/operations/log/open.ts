import { findLog, logHere, openLogReader, readTrust, type Trust } from '../../governance/index.ts'
import type { LogReader } from '../../ledger/index.ts'
import { type Config, loadConfig } from '../../workspace/index.ts'
import type { App } from '../operation.ts'
import { storageOf } from './storage.ts'

/** The log of a repository, opened for reading. */
export interface OpenedLedger {
  readonly config: Config
  readonly trust: Trust
  /** Null if there is no log here. */
  readonly origin: string | null
  readonly log: LogReader | undefined
  /** Number of published entries. */
  readonly size: number
}

/** Opens the log of a repository for reading; empty if there is none. */
export async function openLedger(app: App): Promise<OpenedLedger> {
  const { root, stateHome } = app
  const config = await loadConfig(root)
  const trust = readTrust(config)
  const storage = storageOf(app, config)
  const origin = await logHere(root, trust, storage)
  if (origin === undefined || !(await findLog(root, { origin, trust }, storage, stateHome)))
    return { config, trust, origin: origin ?? null, log: undefined, size: 0 }
  const log = await openLogReader(storage, { origin, trust })
  return { config, trust, origin, log, size: await log.size() }
}
