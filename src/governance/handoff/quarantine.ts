import { quote } from '../../contract/index.ts'
import { parseInstant } from '../../document/index.ts'
import type { LogReader, SeenLast } from '../../ledger/index.ts'
import type { Config } from '../../workspace/index.ts'
import { quarantineKey } from '../entries/keys.ts'
import { entryAt } from '../entries/lookup.ts'
import type { PersonStated } from '../entries/predicates.ts'
import { listsPerson } from '../trust/trust.ts'

/** Since when and why an agent is in quarantine. */
export interface Quarantined {
  /** ISO 8601. */
  readonly since: string
  readonly reason: string
}

const EVENTS = 'kind:security-event'

/** A log, and the configuration that says whose statements count in it. */
interface Where {
  readonly log: LogReader
  readonly config: Config
}

/**
 * Returns which of some agents are in quarantine: those whose last security event has no reconciliation after it. A
 * person's reconciliation counts only while the configuration lists the key; a bare name only where it accepts names.
 */
export async function quarantineOf(
  where: Where,
  agents: Iterable<string>,
): Promise<Readonly<Record<string, Quarantined>>> {
  return (await quarantineSeen(where, agents)).kept
}

/** The same, with the entries that decide it: the result holds while they are the last of their keys. */
export async function quarantineSeen(
  { log, config }: Where,
  agents: Iterable<string>,
): Promise<{
  readonly kept: Readonly<Record<string, Quarantined>>
  readonly seen: readonly SeenLast[]
}> {
  // Most logs have no security event.
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
    const { at, reason } = entry.statement.predicate
    const since = String(at)
    if (entry.kind !== 'reconciliation') return { since, reason: String(reason) }
    const gone = whyUncounted(entry.statement.predicate as unknown as PersonStated, since, config)
    return gone === undefined ? undefined : { since, reason: gone }
  }
  if (entry.is === 'erased') {
    const { keys, at } = entry.tombstone
    return keys.also.includes('kind:reconciliation')
      ? undefined
      : { since: at, reason: 'the security event was erased from the log without reconciliation' }
  }
  // Modifying an entry must not release an agent.
  const fault = entry.is === 'differs' ? 'was modified' : 'cannot be read'
  return { since: 'an unknown time', reason: `entry ${index} of the log ${fault}` }
}

/** Why a person's reconciliation no longer counts: otherwise anyone with write access could list a key for a moment. */
function whyUncounted(
  { by, standing, proof }: PersonStated,
  at: string,
  config: Config,
): string | undefined {
  const who = quote(by)
  if (standing !== 'proved') {
    const isTaken = config.people === 'claimed'
    return isTaken ? undefined : `${who} reconciled it by name only, which no longer counts`
  }
  const stated = { by, keyid: proof?.keyid ?? '', at: parseInstant(at) ?? Number.NEGATIVE_INFINITY }
  if (listsPerson(config, stated)) return undefined
  return `${who} reconciled it with a key that waybill.yaml does not list for that time`
}
