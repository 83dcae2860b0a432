import { type EntryKeys, indicesIn, keyHash, recordsOf } from '../../ledger/index.ts'
import { agentKey, kindKey, quarantineKey } from '../entries/keys.ts'
import type { EntryKind } from '../urn.ts'

/** An entry that puts an agent into quarantine, or releases it. */
export interface QuarantineTurn {
  readonly index: number
  readonly agent: string
  readonly isIn: boolean
}

/** An accepted handoff from or to an agent in quarantine. */
interface AcceptedAllTheSame {
  readonly index: number
  readonly agent: string
  /** The entry that put the agent into quarantine. */
  readonly since: number
}

const PREFIX = quarantineKey('')
const ACCEPTED = keyHash(kindKey('handoff-accepted'))

/** Returns the agents that an entry puts into quarantine or releases, from its keys. */
export function turnsIn(index: number, kind: EntryKind, { also }: EntryKeys): QuarantineTurn[] {
  return also
    .filter(key => key.startsWith(PREFIX))
    .map(key => ({ index, agent: key.slice(PREFIX.length), isIn: kind === 'security-event' }))
}

/** Finds handoffs accepted while an agent was in quarantine; costs nothing for a log without quarantines. */
export class QuarantineAudit {
  /** The agents in quarantine, by the hash of their key. */
  readonly #kept = new Map<string, Omit<AcceptedAllTheSame, 'index'>>()

  /** Adds the next entries: their quarantine turns, and the records of their keys if known. */
  add(turns: readonly QuarantineTurn[], records: Buffer = Buffer.alloc(0)): AcceptedAllTheSame[] {
    if (turns.length === 0 && this.#kept.size === 0) return []
    let next = 0
    const takeUntil = (index: number) => {
      for (let turn = turns[next]; turn && turn.index < index; turn = turns[++next])
        this.#take(turn)
    }
    const accepted = new Set(indicesIn(records, 0, records.length, ACCEPTED))
    const found: AcceptedAllTheSame[] = []
    for (const { hash, index } of recordsOf(records, accepted)) {
      takeUntil(index)
      const kept = this.#kept.get(hash)
      if (kept) found.push({ index, ...kept })
    }
    takeUntil(Number.POSITIVE_INFINITY)
    return found
  }

  #take({ index, agent, isIn }: QuarantineTurn): void {
    const hash = keyHash(agentKey(agent)).toString('latin1')
    if (isIn) this.#kept.set(hash, { agent, since: index })
    else this.#kept.delete(hash)
  }
}
