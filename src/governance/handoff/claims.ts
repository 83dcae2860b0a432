import { SIDES } from '../../contracts/index.ts'
import { maskSecrets } from '../../document/index.ts'

/** The well-formed ids that an unverified document claims. */
export interface Claims {
  readonly handoff: string | undefined
  readonly source: string | undefined
  readonly target: string | undefined
}

/** An agent that a document names, with the prompt hash it states. */
export interface ClaimedAgent {
  readonly agent: string
  /** Hex SHA-256; null if missing or malformed. */
  readonly stated: string | null
}

const HASH = /^[0-9a-f]{64}$/
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/
const AGENT = /^[A-Za-z0-9][A-Za-z0-9._-]{0,127}$/

/** Reads the ids of any document; leaves out malformed ids and those that look like credentials. */
export function claimsOf(value: unknown): Claims {
  const [source, target] = SIDES.map(side => agentIn(partOf(value, side)))
  const handoff = partOf(value, 'handoff_id')
  return {
    handoff: typeof handoff === 'string' && UUID.test(handoff) ? handoff : undefined,
    source,
    target,
  }
}

/** Reads the agents that any document names, source before target, with their stated prompt hashes. */
export function agentsClaimed(value: unknown): readonly ClaimedAgent[] {
  return SIDES.flatMap(side => {
    const party = partOf(value, side)
    const agent = agentIn(party)
    const stated = partOf(party, 'prompt_hash')
    const isHash = typeof stated === 'string' && HASH.test(stated)
    return agent === undefined ? [] : [{ agent, stated: isHash ? stated : null }]
  })
}

function agentIn(party: unknown): string | undefined {
  const id = partOf(party, 'agent_id')
  return typeof id === 'string' && AGENT.test(id) && maskSecrets(id) === id ? id : undefined
}

function partOf(value: unknown, key: string): unknown {
  return typeof value === 'object' && value !== null && Object.hasOwn(value, key)
    ? (value as Record<string, unknown>)[key]
    : undefined
}
