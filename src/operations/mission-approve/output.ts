import type { TypeOf } from '../operation.ts'

const text = (description: string) => ({ type: 'string', description }) as const
const textOrNull = (description: string) => ({ type: ['string', 'null'], description }) as const

/** A person's decision on one proposed write-back. */
export const ProposalDecision = {
  type: 'object',
  required: [
    ...(['outcome', 'decision', 'mission', 'tenant', 'proposal', 'digest', 'payload'] as const),
    ...(['agents', 'by', 'standing', 'keyid', 'expires', 'entry'] as const),
  ],
  properties: {
    outcome: {
      enum: ['recorded', 'would-record'],
      description: 'Whether the decision was recorded.',
    },
    decision: { enum: ['approved', 'rejected'], description: 'The decision.' },
    mission: text('The mission that proposes it.'),
    tenant: text('The tenant of the mission.'),
    proposal: text('The id of the proposal.'),
    digest: text('Hex SHA-256 of the canonical JSON of the proposal; the decision applies to it.'),
    payload: { type: ['object', 'null'], description: 'The proposal; null when erased.' },
    agents: {
      type: 'array',
      items: text('An agent, by canonical id.'),
      description: 'The agents that produced it.',
    },
    by: textOrNull('Who decided; null for a dry run.'),
    standing: {
      enum: ['proved', 'claimed', null],
      description: 'Whether a key proves the name; null for a dry run.',
    },
    keyid: textOrNull('The key that proves it; null when none does.'),
    expires: textOrNull('When an approval expires; null for a rejection or a dry run.'),
    entry: textOrNull('The digest of the log entry that records it.'),
  },
  additionalProperties: false,
  description: 'A decision on one proposed write-back and its evidence.',
} as const

/** A person's decision on one proposed write-back. */
export type ProposalDecisionParts = Omit<TypeOf<typeof ProposalDecision>, 'payload'> & {
  readonly payload: Readonly<Record<string, unknown>> | null
}

const schema = { ...ProposalDecision, title: 'Output of waybill mission approve' } as const

/** The output of `mission approve`. */
export type MissionApproveOutput = ProposalDecisionParts
export default schema
