import { type Context, type Finding, quote, type Rules } from '../../../contract/index.ts'
import type { AgentHandoffFacts } from '../facts.ts'
import type { AgentHandoff } from '../schema.ts'
import {
  disagreement,
  type Fault,
  type IdRule,
  idFault,
  type Party,
  type PromptRule,
  promptFault,
  SIDES,
} from '../verification.ts'

const both = (...keys: string[]) => SIDES.flatMap(side => keys.map(key => `/${side}/${key}`))

type Facts = Context<AgentHandoffFacts>['facts']

/** What one rule about ids has to say. */
function idFindings(rule: IdRule, handoff: AgentHandoff, { manifest }: Facts): Finding[] {
  return manifest ? findings(rule, 'agent_id', handoff, party => idFault(party, manifest)) : []
}

/** What one rule about prompts has to say. */
function promptFindings(rule: PromptRule, handoff: AgentHandoff, facts: Facts): Finding[] {
  const { manifest, lock, files } = facts
  return manifest && lock && files
    ? findings(rule, 'prompt_hash', handoff, party => promptFault(party, manifest, lock, files))
    : []
}

function findings<Rule extends string>(
  rule: Rule,
  key: keyof Party,
  handoff: AgentHandoff,
  faultOf: (party: Party) => Fault<Rule> | undefined,
): Finding[] {
  return SIDES.flatMap(side => {
    const fault = faultOf(handoff[side])
    return fault?.rule === rule
      ? [{ path: [side, key], message: fault.message, hint: fault.hint }]
      : []
  })
}

/** That both agents are who the handoff says they are. */
export const agentRules = {
  'known-agents': {
    severity: 'error',
    summary: 'Source and target are agents of the manifest, named by their canonical ids.',
    why: 'An alias can be given to anyone; only a canonical id leads to one prompt, one scope and one set of boundaries.',
    reads: both('agent_id'),
    needs: ['manifest'],
    check: (handoff, { facts }) => idFindings('known-agents', handoff, facts),
  },
  'no-agent-aliases': {
    severity: 'error',
    summary:
      'Neither agent is named by an alias: a name, a key, a shortcut or another spelling of its canonical id.',
    why: 'An alias may mean somebody else tomorrow, or to somebody else.',
    reads: both('agent_id'),
    needs: ['manifest'],
    check: (handoff, { facts }) => idFindings('no-agent-aliases', handoff, facts),
  },
  'no-lookalike-ids': {
    severity: 'error',
    summary: 'Neither id only looks like the canonical id of an agent.',
    why: 'Letters of other scripts, and marks that nobody sees, let a person who approves take a stranger for an agent.',
    reads: both('agent_id'),
    needs: ['manifest'],
    check: (handoff, { facts }) => idFindings('no-lookalike-ids', handoff, facts),
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
  'prompts-inside-repository': {
    severity: 'error',
    summary: 'The prompt file of each agent stands inside the repository, also behind links.',
    why: 'A file outside is in no commit: whoever can write it there changes what the agent does, and nobody reviews it.',
    reads: both('agent_id', 'prompt_hash'),
    needs: ['manifest', 'lock', 'files'],
    unconditional: true,
    check: (handoff, { facts }) => promptFindings('prompts-inside-repository', handoff, facts),
  },
  'prompt-hash-matches-lock': {
    severity: 'error',
    summary:
      'For each agent, the hash in the handoff, the one in the lock and that of the prompt file are equal.',
    why: 'A prompt that differs from the locked one is an agent that nobody approved; there are no exceptions.',
    reads: both('agent_id', 'prompt_hash'),
    needs: ['manifest', 'lock', 'files'],
    unconditional: true,
    check: (handoff, { facts }) => promptFindings('prompt-hash-matches-lock', handoff, facts),
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
