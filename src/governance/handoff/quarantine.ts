import type { LogReader } from '../../ledger/index.ts'
import { readEntry } from '../entries/entry.ts'
import { quarantineKey } from '../entries/keys.ts'

/** Since when and why an agent is kept out. */
export interface Quarantined {
  /** ISO 8601. */
  readonly since: string
  readonly reason: string
}

const EVENTS = 'kind:security-event'

/** Those of some agents that are kept out: whose last security event no reconciliation has followed. */
export async function quarantineOf(
  log: LogReader,
  agents: Iterable<string>,
): Promise<Readonly<Record<string, Quarantined>>> {
  // Most logs hold no such event at all.
  if ((await log.find(EVENTS)).length === 0) return {}
  const kept: [string, Quarantined][] = []
  for (const agent of new Set(agents)) {
    const last = (await log.find(quarantineKey(agent))).at(-1)
    const why = last === undefined ? undefined : await whyKept(log, last)
    if (why) kept.push([agent, why])
  }
  return Object.fromEntries(kept)
}

async function whyKept(log: LogReader, index: number): Promise<Quarantined | undefined> {
  const content = await log.content(index)
  const entry = content === undefined ? undefined : readEntry(content)
  if (entry?.is === 'entry') {
    if (entry.kind === 'reconciliation') return undefined
    const { at, reason } = entry.statement.predicate
    return { since: String(at), reason: String(reason) }
  }
  if (entry?.is === 'erased') {
    const { keys, at } = entry.tombstone
    return keys.also.includes('kind:reconciliation')
      ? undefined
      : { since: at, reason: 'the security event was erased from the log, and not reconciled' }
  }
  // Whoever can make an entry unreadable must not be able to let an agent out by that.
  return { since: 'a time that is not known', reason: `entry ${index} of the log cannot be read` }
}
