import { existsSync } from 'node:fs'
import type { Config } from '../../workspace/index.ts'
import { readEntry } from '../entries/entry.ts'
import { type Quarantined, quarantineOf } from '../handoff/quarantine.ts'
import { openKeys } from '../keys/open-keys.ts'
import { readTrust } from '../trust/trust.ts'
import { ledgerFolder, openLogReader } from './log.ts'

/** Every agent that is in quarantine in a repository, as its log says; none where there is no log. */
export async function quarantineIn(
  root: string,
  config: Config,
): Promise<Readonly<Record<string, Quarantined>>> {
  if (!existsSync(ledgerFolder(root))) return {}
  const trust = readTrust(config)
  const { origin } = openKeys(root, trust)
  if (origin === undefined) return {}
  const log = openLogReader(root, { origin, trust })
  const accused = new Set<string>()
  for (const index of await log.find('kind:security-event')) {
    for (const agent of accusedIn(await log.content(index))) accused.add(agent)
  }
  return quarantineOf(log, accused)
}

function accusedIn(content: string | undefined): readonly string[] {
  const entry = content === undefined ? undefined : readEntry(content)
  if (entry?.is === 'erased') {
    const prefix = 'quarantine:'
    const keys = entry.tombstone.keys.also.filter(key => key.startsWith(prefix))
    return keys.map(key => key.slice(prefix.length))
  }
  const { quarantined } = entry?.is === 'entry' ? entry.statement.predicate : {}
  return Array.isArray(quarantined) ? quarantined.filter(one => typeof one === 'string') : []
}
