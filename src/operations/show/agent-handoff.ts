import {
  entriesSection,
  fieldsOf,
  item,
  lines,
  listOf,
  listSection,
  outline,
  said,
  textSection,
} from './said.ts'
import type { Body } from './view.ts'

const CLAIMS = {
  source_agent_verified: 'source verified',
  target_agent_verified: 'target verified',
  composition_valid: 'composition valid',
  boundaries_respected: 'boundaries respected',
} as const

/** Describes a governed handoff: agents and versions, request, and claims. */
export function describeAgentHandoff(value: unknown): Body {
  const { source_agent, target_agent, context, governance, protocol_version } = fieldsOf(value)
  const { request: asked, state: known } = fieldsOf(context)
  const request = fieldsOf(asked)
  const state = fieldsOf(known)
  return {
    facts: lines(
      ['From', agentOf(source_agent)],
      ['To', agentOf(target_agent)],
      ['Asks for', request.type],
      ['Protocol', protocol_version],
    ),
    sections: [
      ...textSection('Request', request.description),
      ...textSection('Expected output', request.expected_output),
      ...entriesSection('Constraints', request.constraints),
      ...listSection('Input', outline(request.input_data)),
      ...listSection('Decisions made', listOf(state.decisions_made).flatMap(decision)),
      ...listSection('Context so far', outline(state.accumulated_context)),
      ...listSection('Conversation', listOf(state.conversation_history).map(message)),
      ...listSection('Governance (claimed)', claims(governance)),
    ],
  }
}

function agentOf(value: unknown): string | undefined {
  const { agent_type, agent_id, agent_version, prompt_hash } = fieldsOf(value)
  const hash = typeof prompt_hash === 'string' ? `prompt ${prompt_hash.slice(0, 12)}…` : undefined
  const about = [said(agent_type), said(agent_version), hash].filter(word => word !== undefined)
  const name = said(agent_id)
  return name && about.length > 0 ? `${name} (${about.join(', ')})` : name
}

/** Decisions may have any keys; the most telling one comes first. */
function decision(value: unknown) {
  const { decision: made, id, reason, rationale, ...rest } = fieldsOf(value)
  if (made === undefined) return outline(value)
  return [
    item({
      id,
      text: made,
      details: [...lines(['because', reason ?? rationale]), ...lines(...Object.entries(rest))],
    }),
  ]
}

function message(value: unknown) {
  const { role, content } = fieldsOf(value)
  return item({ marks: [role], text: content ?? value })
}

function claims(value: unknown) {
  const governance = fieldsOf(value)
  const claimed = Object.entries(CLAIMS).flatMap(([key, words]) => {
    const claim = governance[key]
    return claim === undefined
      ? []
      : [item({ marks: [claim === true ? 'yes' : claim === false ? 'no' : claim], text: words })]
  })
  const trail = said(governance.audit_trail)
  return trail === undefined ? claimed : [...claimed, item({ text: `audit trail ${trail}` })]
}
