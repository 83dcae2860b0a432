import { listed, quote, type Rules } from '../../../contract/index.ts'
import type { AgentHandoffFacts } from '../facts.ts'
import type { AgentHandoff } from '../schema.ts'
import {
  boundaryOf,
  constituentsOf,
  isComposed,
  isVerified,
  type Party,
  SIDES,
  sumOf,
} from '../verification.ts'

const IDS = ['/source_agent/agent_id', '/target_agent/agent_id']
const CLAIMS = [
  'source_agent_verified',
  'target_agent_verified',
  'composition_valid',
  'boundaries_respected',
] as const

/** The rules that decide whether the handoff is allowed, and whether its sender's claims are correct. */
export const boundaryRules = {
  'composition-sums-to-100': {
    severity: 'error',
    summary: 'The composition of each archetype involved sums to exactly 100 percent.',
    why: 'An archetype whose percentages do not sum to 100 has no defined behaviour.',
    reads: IDS,
    needs: ['manifest'],
    *check(handoff, { facts: { manifest } }) {
      if (!manifest) return
      for (const [side, party] of parties(handoff)) {
        const sum = sumOf(party, manifest)
        if (sum === undefined) continue
        yield {
          path: [side, 'agent_id'],
          message: `the composition of ${quote(party.agent_id)} sums to ${sum} percent, not 100`,
          hint: `correct the percentages in ${manifest.path}`,
        }
      }
    },
  },
  'known-constituents': {
    severity: 'error',
    summary: 'Each archetype involved is composed of two to four domains of the manifest.',
    why: 'Its domains define an archetype; an unknown domain leaves part of it undefined.',
    reads: IDS,
    needs: ['manifest'],
    *check(handoff, { facts: { manifest } }) {
      if (!manifest) return
      for (const [side, party] of parties(handoff)) {
        for (const { message, hint } of constituentsOf(party, manifest)) {
          yield { path: [side, 'agent_id'], message, hint: `${hint}, in ${manifest.path}` }
        }
      }
    },
  },
  'within-boundaries': {
    severity: 'error',
    summary: 'The source agent may hand over to the target agent.',
    why: 'Boundaries keep a request with the agents that are responsible for the field.',
    reads: [...IDS, '/context/request/description'],
    needs: ['manifest'],
    *check(handoff, { facts: { manifest } }) {
      if (!manifest) return
      const decision = boundaryOf(handoff, handoff.context.request.description, manifest)
      // Another rule covers a handoff to itself.
      const isSelf = handoff.source_agent.agent_id === handoff.target_agent.agent_id
      if (!decision || decision.allowed || isSelf) return
      const { rule, nearest, mediator } = decision
      const [source, target] = SIDES.map(side => quote(handoff[side].agent_id))
      const instead = nearest
        ? `the nearest permitted agent is ${quote(nearest.agent.id)}, because ${nearest.reason}`
        : 'it may hand over to no other agent'
      const ways = [
        nearest ? `hand over to ${quote(nearest.agent.id)}` : 'keep the request',
        ...(mediator && mediator !== nearest?.agent
          ? [`hand over through ${quote(mediator.id)}`]
          : []),
        `have the owner of ${manifest.path} add ${target} to the 'hands_to' of ${source}`,
      ]
      yield {
        path: ['target_agent', 'agent_id'],
        message: `${source} may not hand over to ${target}: ${rule}; ${instead}`,
        hint: listed(ways, 'or'),
      }
    },
  },
  attested: {
    severity: 'error',
    summary:
      "The sender's claims under 'governance' match the values computed from manifest, lock and prompt files.",
    why: 'A wrong claim shows that the sender did not check, or lies.',
    reads: [
      ...SIDES.flatMap(side =>
        ['agent_id', 'agent_type', 'agent_version', 'prompt_hash'].map(key => `/${side}/${key}`),
      ),
      ...CLAIMS.map(claim => `/governance/${claim}`),
    ],
    needs: ['manifest', 'lock', 'files'],
    unconditional: true,
    *check(handoff, { facts }) {
      const computed = attestationOf(handoff, facts)
      if (!computed) return
      for (const claim of CLAIMS) {
        if (handoff.governance[claim] === computed[claim]) continue
        yield {
          path: ['governance', claim],
          message: `${quote(claim)} is claimed to be ${handoff.governance[claim]}, but is ${computed[claim]}`,
          hint: computed[claim]
            ? 'have the sender compute it instead of writing it by hand'
            : 'fix the other findings; the computed value is recorded',
        }
      }
    },
  },
} satisfies Rules<AgentHandoff, AgentHandoffFacts>

/** The four claims as computed, whatever the handoff states; `undefined` while a fact is missing. */
export function attestationOf(
  handoff: Pick<AgentHandoff, (typeof SIDES)[number]>,
  { manifest, lock, files }: Partial<AgentHandoffFacts>,
): Record<(typeof CLAIMS)[number], boolean> | undefined {
  if (!manifest || !lock || !files) return undefined
  const { source_agent, target_agent } = handoff
  return {
    source_agent_verified: isVerified(source_agent, manifest, lock, files),
    target_agent_verified: isVerified(target_agent, manifest, lock, files),
    composition_valid: SIDES.every(side => isComposed(handoff[side], manifest)),
    boundaries_respected: boundaryOf(handoff, '', manifest)?.allowed ?? false,
  }
}

/** The agents involved, each once. */
function parties(handoff: AgentHandoff): [side: (typeof SIDES)[number], party: Party][] {
  const { source_agent, target_agent } = handoff
  return source_agent.agent_id === target_agent.agent_id
    ? [['target_agent', target_agent]]
    : [
        ['source_agent', source_agent],
        ['target_agent', target_agent],
      ]
}
