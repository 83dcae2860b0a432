import { quote, type Rules } from '../../../contract/index.ts'
import type { AgentHandoffFacts } from '../facts.ts'
import type { AgentHandoff } from '../schema.ts'
import { disagreement, idFault, promptFault, SIDES } from '../verification.ts'

const both = (...keys: string[]) => SIDES.flatMap(side => keys.map(key => `/${side}/${key}`))

/** That both agents are who the handoff says they are. */
export const agentRules = {
  'known-agents': {
    severity: 'error',
    summary: 'Source and target are agents of the manifest, named by their canonical ids.',
    why: 'An alias can be given to anyone; only a canonical id leads to one prompt, one scope and one set of boundaries.',
    reads: both('agent_id'),
    needs: ['manifest'],
    *check(handoff, { facts: { manifest } }) {
      if (!manifest) return
      for (const side of SIDES) {
        const fault = idFault(handoff[side], manifest)
        if (fault) yield { path: [side, 'agent_id'], ...fault }
      }
    },
  },
  'agent-type-agrees': {
    severity: 'error',
    summary: 'The type of each agent is the one that manifest and lock give.',
    why: 'The type decides which boundaries hold; whoever may choose it chooses the boundaries.',
    reads: both('agent_id', 'agent_type'),
    needs: ['manifest', 'lock'],
    *check(handoff, { facts: { manifest, lock } }) {
      if (!manifest || !lock) return
      for (const side of SIDES) {
        const fault = disagreement('type', handoff[side], manifest, lock)
        if (fault) yield { path: [side, 'agent_type'], ...fault }
      }
    },
  },
  'agent-version-agrees': {
    severity: 'error',
    summary: 'The version of each agent is the one that manifest and lock give.',
    why: 'Another version is another prompt: the request was written for an agent that is not the one that will run.',
    reads: both('agent_id', 'agent_version'),
    needs: ['manifest', 'lock'],
    *check(handoff, { facts: { manifest, lock } }) {
      if (!manifest || !lock) return
      for (const side of SIDES) {
        const fault = disagreement('version', handoff[side], manifest, lock)
        if (fault) yield { path: [side, 'agent_version'], ...fault }
      }
    },
  },
  'prompt-hash-matches-lock': {
    severity: 'error',
    summary:
      'For each agent, the hash in the handoff, the one in the lock and that of the prompt file are equal.',
    why: 'A prompt that differs from the locked one is an agent that nobody approved; there are no exceptions.',
    reads: both('agent_id', 'prompt_hash'),
    needs: ['manifest', 'lock', 'files'],
    unconditional: true,
    *check(handoff, { facts: { manifest, lock, files } }) {
      if (!manifest || !lock || !files) return
      for (const side of SIDES) {
        const fault = promptFault(handoff[side], manifest, lock, files)
        if (fault) yield { path: [side, 'prompt_hash'], ...fault }
      }
    },
  },
  'source-and-target-differ': {
    severity: 'error',
    summary: 'Source and target are two agents.',
    why: 'What an agent hands to itself passes no boundary and is no handoff.',
    reads: both('agent_id'),
    *check({ source_agent, target_agent }) {
      if (source_agent.agent_id !== target_agent.agent_id) return
      yield {
        path: ['target_agent', 'agent_id'],
        message: `${quote(target_agent.agent_id)} is also the source agent`,
        hint: 'name the agent that should take over, or go on without a handoff',
      }
    },
  },
} satisfies Rules<AgentHandoff, AgentHandoffFacts>
