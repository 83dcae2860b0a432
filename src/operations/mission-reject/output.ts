import { ProposalDecision, type ProposalDecisionParts } from '../mission-approve/output.ts'

const schema = { ...ProposalDecision, title: 'Output of waybill mission reject' } as const

/** What `mission reject` answers. */
export type MissionRejectOutput = ProposalDecisionParts
export default schema
