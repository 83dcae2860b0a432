import type { TypeOf } from '../operation.ts'

const text = (description: string) => ({ type: 'string', description }) as const
const textOrNull = (description: string) => ({ type: ['string', 'null'], description }) as const

/** What a person says of one proposed write-back. */
export const ProposalDecision = {
  type: 'object',
  required: [
    ...(['outcome', 'decision', 'mission', 'tenant', 'proposal', 'digest', 'payload'] as const),
    ...(['agents', 'by', 'standing', 'keyid', 'expires', 'entry'] as const),
  ],
  properties: {
    outcome: { enum: ['recorded', 'would-record'], description: 'Whether it was decided.' },
    decision: { enum: ['approved', 'rejected'], description: 'What the person says.' },
    mission: text('The mission that proposes it.'),
    tenant: text('Whose mission it is.'),
    proposal: text('The id of the proposal.'),
    digest: text('Hex SHA-256 of the canonical JSON of the proposal: what the person speaks of.'),
    payload: { type: ['object', 'null'], description: 'The proposal; null where it was erased.' },
    agents: {
      type: 'array',
      items: text('An agent, by canonical id.'),
      description: 'Who has produced it.',
    },
    by: textOrNull('Who says it; null for a dry run.'),
    standing: {
      enum: ['proved', 'claimed', null],
      description: 'Whether a key shows who that is, or only a name says it; null for a dry run.',
    },
    keyid: textOrNull('The key that shows it; null where none does.'),
    expires: textOrNull('Until when an approval may be acted on; null of anything else.'),
    entry: textOrNull('The digest of the entry of the log that says so.'),
  },
  additionalProperties: false,
  description: 'What a person says of one proposed write-back, and by what it is shown.',
} as const

/** What a person says of one proposed write-back. */
export type ProposalDecisionParts = Omit<TypeOf<typeof ProposalDecision>, 'payload'> & {
  readonly payload: Readonly<Record<string, unknown>> | null
}

const schema = { ...ProposalDecision, title: 'Output of waybill mission approve' } as const

/** What `mission approve` answers. */
export type MissionApproveOutput = ProposalDecisionParts
export default schema
