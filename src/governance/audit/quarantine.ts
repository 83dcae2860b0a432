import { type EntryKeys, indicesIn, keyHash } from '../../ledger/index.ts'
import { agentKey, kindKey, quarantineKey } from '../entries/keys.ts'
import type { EntryKind } from '../urn.ts'

/** An entry that puts an agent into quarantine, or lets it out. */
export interface QuarantineTurn {
  readonly index: number
  readonly agent: string
  readonly isIn: boolean
}

/** An accepted handoff of or to an agent that was kept out. */
interface AcceptedAllTheSame {
  readonly index: number
  readonly agent: string
  /** The entry that had put the agent into quarantine. */
  readonly since: number
}

const PREFIX = quarantineKey('')
const ACCEPTED = keyHash(kindKey('handoff-accepted'))

/** Whom an entry puts into quarantine, or lets out, by its keys. */
export function turnsIn(index: number, kind: EntryKind, { also }: EntryKeys): QuarantineTurn[] {
  return also
    .filter(key => key.startsWith(PREFIX))
    .map(key => ({ index, agent: key.slice(PREFIX.length), isIn: kind === 'security-event' }))
}

/** Finds what was accepted while an agent was kept out. Of a log without quarantines nothing is looked at. */
export class QuarantineAudit {
  /** Which entry put an agent into quarantine. */
  readonly #since = new Map<string, number>()

  /** Takes the next entries: who was put in or let out, and the records of their keys, absent where those are not known. */
  add(turns: readonly QuarantineTurn[], records: Buffer = Buffer.alloc(0)): AcceptedAllTheSame[] {
    if (turns.length === 0 && this.#since.size === 0) return []
    const having = (hash: Buffer) => indicesIn(records, 0, records.length, hash)
    const accepted = new Set(having(ACCEPTED))
    const agents = new Set([...this.#since.keys(), ...turns.map(({ agent }) => agent)])
    const found: AcceptedAllTheSame[] = []
    for (const agent of agents) {
      const own = turns.filter(turn => turn.agent === agent)
      for (const index of having(keyHash(agentKey(agent))).filter(index => accepted.has(index))) {
        const since = sinceAt(index, own, this.#since.get(agent))
        if (since !== undefined) found.push({ index, agent, since })
      }
      const since = sinceAt(Number.POSITIVE_INFINITY, own, this.#since.get(agent))
      if (since === undefined) this.#since.delete(agent)
      else this.#since.set(agent, since)
    }
    return found.sort((one, other) => one.index - other.index)
  }
}

/** Since when an agent was kept out where an entry stands; nothing where it was not. */
function sinceAt(
  index: number,
  turns: readonly QuarantineTurn[],
  before: number | undefined,
): number | undefined {
  const last = turns.findLast(turn => turn.index < index)
  if (!last) return before
  return last.isIn ? last.index : undefined
}
