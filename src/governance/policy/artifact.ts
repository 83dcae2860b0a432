import { formatInstant } from '../../document/index.ts'
import type { PolicyOutcome } from './decide.ts'
import type { PolicyAction } from './policy.ts'

/** What a policy decision artifact says beyond the outcome. */
export interface DecisionIds {
  readonly decisionId: string
  /** What was asked about: a tool, a resource, or for a handoff its two agents. */
  readonly subject: string
  /** The mission that it belongs to; a handoff outside of one gives its own id, which is a UUID as well. */
  readonly mission: { readonly id: string } | { readonly handoff: string }
  /** When it was decided, in milliseconds since the epoch. */
  readonly at: number
  /** Who decided (default: `waybill-policy`). */
  readonly producer?: string
}

/** A decision of the guard plane in the form of the contract policy-decision.v1. */
export interface DecisionArtifact {
  readonly schema_name: 'policy_decision'
  readonly schema_version: 'v1'
  readonly mission_id: string
  readonly decision_id: string
  readonly decision_type: string
  readonly subject: string
  readonly decision: 'allow' | 'deny'
  readonly reason: string
  readonly created_at: string
  readonly producer: string
}

/** As the mission contracts call what is decided on. */
const TYPES: Readonly<Record<PolicyAction, string>> = {
  handoff: 'handoff',
  useTool: 'tool_scope',
  readData: 'data_scope',
  writeBack: 'writeback',
}

/**
 * Every outcome as the `policy_decision` of the mission contracts.
 *
 * The contract knows allow and deny alone: what needs input is denied, and the reason begins with what it needs.
 * Without a mission the handoff's id stands for one, since it alone ties the decision to what it is about.
 */
export function decisionArtifact(outcome: PolicyOutcome, ids: DecisionIds): DecisionArtifact {
  const { decisionId, subject, mission, at, producer = 'waybill-policy' } = ids
  return {
    schema_name: 'policy_decision',
    schema_version: 'v1',
    mission_id: 'id' in mission ? mission.id : mission.handoff,
    decision_id: storable(decisionId),
    decision_type: TYPES[outcome.action],
    subject: storable(subject),
    decision: outcome.decision === 'allow' ? 'allow' : 'deny',
    reason: storable(reasonOf(outcome)),
    created_at: formatInstant(at),
    producer: storable(producer),
  }
}

function reasonOf({ decision, determining }: PolicyOutcome): string {
  const said = determining.map(({ id, reason, needs }) =>
    decision === 'needs-input' ? `${needs} (${id}: ${reason})` : `${reason} (${id})`,
  )
  return `${decision === 'needs-input' ? 'needs input: ' : ''}${said.join('; ')}`
}

/** PostgreSQL can hold no text with this character, and the contract no empty one. */
function storable(text: string): string {
  return text.replaceAll('\u0000', '\u2400') || '-'
}
