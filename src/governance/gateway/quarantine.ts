import type { Config } from '../../workspace/index.ts'
import type { ReadEntry } from '../entries/entry.ts'
import { entryAt } from '../entries/lookup.ts'
import { type Quarantined, quarantineOf } from '../handoff/quarantine.ts'
import { readTrust } from '../trust/trust.ts'
import { findLog } from './find-log.ts'
import { openLogReader } from './log.ts'
import { logHere } from './log-here.ts'
import type { LogStorage } from './storage.ts'

/**
 * Returns every agent in quarantine by a repository's log, promised entries included; empty without a log.
 *
 * @throws {WaybillError} 'ledger-tampered' when the log is gone or rolled back.
 */
export async function quarantineIn(
  root: string,
  config: Config,
  storage: LogStorage,
  stateHome?: string,
): Promise<Readonly<Record<string, Quarantined>>> {
  const trust = readTrust(config)
  const origin = await logHere(root, trust, storage)
  if (origin === undefined || !(await findLog(root, { origin, trust }, storage, stateHome)))
    return {}
  // Include promised entries: the recording process may have been killed before the checkpoint.
  const log = await openLogReader(storage, { origin, trust, isPromisedRead: true })
  const accused = new Set<string>()
  for (const index of await log.find('kind:security-event')) {
    for (const agent of accusedIn(await entryAt(log, index))) accused.add(agent)
  }
  return quarantineOf({ log, config }, accused)
}

function accusedIn(read: ReadEntry): readonly string[] {
  // The original of a changed entry is unknown, so use the present content.
  const entry = read.is === 'differs' ? read.instead : read
  if (entry.is === 'erased') {
    const prefix = 'quarantine:'
    const keys = entry.tombstone.keys.also.filter(key => key.startsWith(prefix))
    return keys.map(key => key.slice(prefix.length))
  }
  const { quarantined } = entry.is === 'entry' ? entry.statement.predicate : {}
  return Array.isArray(quarantined) ? quarantined.filter(one => typeof one === 'string') : []
}
