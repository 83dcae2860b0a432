import { formatInstant } from '../../document/index.ts'
import type { PolicyOutcome } from './decide.ts'
import type { PolicyAction } from './policy.ts'

/** What a policy decision artifact says beyond the outcome. */
export interface DecisionIds {
  readonly decisionId: string
  /** What was asked about: a tool, a resource, or for a handoff its two agents. */
  readonly subject: string
  /**
   * The mission that it belongs to; a handoff outside of one gives its own id, which is a UUID as well, and a document
   * without an id the name of its entry.
   */
  readonly mission:
    | { readonly id: string }
    | { readonly handoff: string }
    | { readonly entry: string }
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
 * Without a mission the handoff's id stands for one, since it alone ties the decision to what it is about; without
 * either, a UUID that is made of the entry's name.
 */
export function decisionArtifact(
  outcome: Pick<PolicyOutcome, 'action' | 'decision' | 'determining'>,
  ids: DecisionIds,
): DecisionArtifact {
  const { decisionId, subject, mission, at, producer = 'waybill-policy' } = ids
  return {
    schema_name: 'policy_decision',
    schema_version: 'v1',
    mission_id: missionId(mission),
    decision_id: storable(decisionId),
    decision_type: TYPES[outcome.action],
    subject: storable(subject),
    decision: outcome.decision === 'allow' ? 'allow' : 'deny',
    reason: storable(reasonOf(outcome)),
    created_at: formatInstant(at),
    producer: storable(producer),
  }
}

function missionId(mission: DecisionIds['mission']): string {
  if ('id' in mission) return mission.id
  return 'handoff' in mission ? mission.handoff : uuidOf(mission.entry)
}

/** RFC 9562, version 8: of the first digits of a digest in hex. */
function uuidOf(digest: string): string {
  const hex = digest.padEnd(32, '0')
  const parts = [
    hex.slice(0, 8),
    hex.slice(8, 12),
    `8${hex.slice(13, 16)}`,
    `8${hex.slice(17, 20)}`,
  ]
  return [...parts, hex.slice(20, 32)].join('-')
}

function reasonOf({
  decision,
  determining,
}: Pick<PolicyOutcome, 'decision' | 'determining'>): string {
  const said = determining.map(({ id, reason, needs }) =>
    decision === 'needs-input' ? `${needs} (${id}: ${reason})` : `${reason} (${id})`,
  )
  return `${decision === 'needs-input' ? 'needs input: ' : ''}${said.join('; ')}`
}

/** PostgreSQL can hold no text with this character, and the contract no empty one. */
function storable(text: string): string {
  return text.replaceAll('\u0000', '\u2400') || '-'
}
