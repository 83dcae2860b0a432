import { findLog, logHere, openLogReader, readTrust, type Trust } from '../../governance/index.ts'
import type { LogReader } from '../../ledger/index.ts'
import { type Config, loadConfig } from '../../workspace/index.ts'
import type { App } from '../operation.ts'
import { storageOf } from './storage.ts'

/** The log of a repository for those who only read it, as far as there is one. */
export interface OpenedLedger {
  readonly config: Config
  readonly trust: Trust
  /** Null where nothing was ever recorded here. */
  readonly origin: string | null
  readonly log: LogReader | undefined
  /** How many entries are published. */
  readonly size: number
}

/** Opens the log of a repository for reading; where there never was one, nothing is recorded. */
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
