import { formatInstant } from '../../document/index.ts'
import type { PolicyOutcome } from './decide.ts'
import type { PolicyAction } from './policy.ts'

/** The fields of a policy decision artifact beyond the outcome. */
export interface DecisionIds {
  readonly decisionId: string
  /** What was decided on: a tool, a resource, or the two agents of a handoff. */
  readonly subject: string
  /**
   * The mission id. A handoff outside of a mission uses its own id, also a UUID; a document without an id uses the
   * name of its entry.
   */
  readonly mission:
    | { readonly id: string }
    | { readonly handoff: string }
    | { readonly entry: string }
  /** The time of the decision, in milliseconds since the epoch. */
  readonly at: number
  /** What made the decision (default: `waybill-policy`). */
  readonly producer?: string
}

/** A policy decision in the form of the contract policy-decision.v1. */
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

/** The names of actions in the mission contracts. */
const TYPES: Readonly<Record<PolicyAction, string>> = {
  handoff: 'handoff',
  useTool: 'tool_scope',
  readData: 'data_scope',
  writeBack: 'writeback',
}

/**
 * Returns an outcome as a `policy_decision` of the mission contracts.
 *
 * The contract has only allow and deny: `needs-input` becomes deny, and its reason starts with what is needed. Without
 * a mission, the handoff's id takes its place; without either, a UUID derived from the entry's name.
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

/** Builds a UUID (RFC 9562, version 8) from the first digits of a hex digest. */
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

/** PostgreSQL text cannot contain NUL, and the contract requires text. */
function storable(text: string): string {
  return text.replaceAll('\u0000', '\u2400') || '-'
}
