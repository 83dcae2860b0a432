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

/** Reports the faults of one rule about ids. */
function idFindings(rule: IdRule, handoff: AgentHandoff, { manifest }: Facts): Finding[] {
  return manifest ? findings(rule, 'agent_id', handoff, party => idFault(party, manifest)) : []
}

/** Reports the faults of one rule about prompts. */
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

/** The rules that verify both agents. */
export const agentRules = {
  'known-agents': {
    severity: 'error',
    summary: 'Source and target are agents of the manifest, identified by their canonical ids.',
    why: 'An alias can be reassigned; only a canonical id identifies one prompt, one scope and one set of boundaries.',
    reads: both('agent_id'),
    needs: ['manifest'],
    check: (handoff, { facts }) => idFindings('known-agents', handoff, facts),
  },
  'no-agent-aliases': {
    severity: 'error',
    summary:
      'Neither agent is identified by an alias: a name, key, shortcut or another spelling of its canonical id.',
    why: 'An alias may identify another agent later, or in another repository.',
    reads: both('agent_id'),
    needs: ['manifest'],
    check: (handoff, { facts }) => idFindings('no-agent-aliases', handoff, facts),
  },
  'no-lookalike-ids': {
    severity: 'error',
    summary: 'Neither id imitates the canonical id of another agent.',
    why: 'Letters of other scripts and invisible characters can make an unknown agent look like a known one.',
    reads: both('agent_id'),
    needs: ['manifest'],
    check: (handoff, { facts }) => idFindings('no-lookalike-ids', handoff, facts),
  },
  'agent-type-agrees': {
    severity: 'error',
    summary: 'The type of each agent matches manifest and lock.',
    why: 'The type decides which boundaries apply, so the sender must not choose it.',
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
    summary: 'The version of each agent matches manifest and lock.',
    why: 'Another version has another prompt: the request was written for an agent other than the one that will run.',
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
    summary:
      'The prompt file of each agent is inside the repository, also after following symlinks.',
    why: 'A file outside the repository is not committed or reviewed, so anyone who can write it can change the agent.',
    reads: both('agent_id', 'prompt_hash'),
    needs: ['manifest', 'lock', 'files'],
    unconditional: true,
    check: (handoff, { facts }) => promptFindings('prompts-inside-repository', handoff, facts),
  },
  'prompt-hash-matches-lock': {
    severity: 'error',
    summary:
      'For each agent, the hashes in the handoff, in the lock and of the prompt file are equal.',
    why: 'A prompt that differs from the locked one makes an agent that was not approved; there are no exceptions.',
    reads: both('agent_id', 'prompt_hash'),
    needs: ['manifest', 'lock', 'files'],
    unconditional: true,
    check: (handoff, { facts }) => promptFindings('prompt-hash-matches-lock', handoff, facts),
  },
  'source-and-target-differ': {
    severity: 'error',
    summary: 'Source and target are different agents.',
    why: 'A handoff to itself crosses no boundary and is not a handoff.',
    reads: both('agent_id'),
    *check({ source_agent, target_agent }) {
      if (source_agent.agent_id !== target_agent.agent_id) return
      yield {
        path: ['target_agent', 'agent_id'],
        message: `${quote(target_agent.agent_id)} is also the source agent`,
        hint: 'name the agent that should take over, or continue without a handoff',
      }
    },
  },
} satisfies Rules<AgentHandoff, AgentHandoffFacts>
