import { quote } from '../../contract/index.ts'
import type { LogReader, SeenLast } from '../../ledger/index.ts'
import type { Config } from '../../workspace/index.ts'
import { quarantineKey } from '../entries/keys.ts'
import { entryAt } from '../entries/lookup.ts'

/** Since when and why an agent is kept out. */
export interface Quarantined {
  /** ISO 8601. */
  readonly since: string
  readonly reason: string
}

const EVENTS = 'kind:security-event'

/** A log, and whose word counts in it. */
interface Where {
  readonly log: LogReader
  readonly config: Config
}

/**
 * Those of some agents that are kept out: whose last security event no reconciliation has followed; that of a mere name
 * counts only where the configuration takes names.
 */
export async function quarantineOf(
  where: Where,
  agents: Iterable<string>,
): Promise<Readonly<Record<string, Quarantined>>> {
  return (await quarantineSeen(where, agents)).kept
}

/** The same, with the entries that tell so: while they are the last of their keys, it stays as it is. */
export async function quarantineSeen(
  { log, config }: Where,
  agents: Iterable<string>,
): Promise<{
  readonly kept: Readonly<Record<string, Quarantined>>
  readonly seen: readonly SeenLast[]
}> {
  // Most logs hold no such event at all.
  if ((await log.find(EVENTS)).length === 0)
    return { kept: {}, seen: [{ key: EVENTS, last: undefined }] }
  const kept: [string, Quarantined][] = []
  const seen: SeenLast[] = []
  for (const agent of new Set(agents)) {
    const key = quarantineKey(agent)
    const last = (await log.find(key)).at(-1)
    seen.push({ key, last })
    const why = last === undefined ? undefined : await whyKept({ log, config }, last)
    if (why) kept.push([agent, why])
  }
  return { kept: Object.fromEntries(kept), seen }
}

async function whyKept({ log, config }: Where, index: number): Promise<Quarantined | undefined> {
  const entry = await entryAt(log, index)
  if (entry.is === 'entry') {
    const { at, reason, by, standing } = entry.statement.predicate
    const since = String(at)
    if (entry.kind !== 'reconciliation') return { since, reason: String(reason) }
    if (standing === 'proved' || config.people === 'claimed') return undefined
    return {
      since,
      reason: `${quote(String(by))} has let it out by a mere name, which counts no more`,
    }
  }
  if (entry.is === 'erased') {
    const { keys, at } = entry.tombstone
    return keys.also.includes('kind:reconciliation')
      ? undefined
      : { since: at, reason: 'the security event was erased from the log, and not reconciled' }
  }
  // Whoever can change an entry must not be able to let an agent out by that.
  const fault = entry.is === 'differs' ? 'is not what was recorded' : 'cannot be read'
  return { since: 'a time that is not known', reason: `entry ${index} of the log ${fault}` }
}
