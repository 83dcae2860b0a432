import { hasLog, openKeys, openLogReader, readTrust, type Trust } from '../../governance/index.ts'
import type { LogReader } from '../../ledger/index.ts'
import { type Config, loadConfig } from '../../workspace/index.ts'
import type { App } from '../operation.ts'

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
export async function openLedger({ root, stateHome }: App): Promise<OpenedLedger> {
  const config = await loadConfig(root)
  const trust = readTrust(config)
  const { origin } = openKeys(root, trust)
  if (origin === undefined || !hasLog(root, origin, stateHome))
    return { config, trust, origin: origin ?? null, log: undefined, size: 0 }
  const log = openLogReader(root, { origin, trust })
  return { config, trust, origin, log, size: await log.size() }
}
