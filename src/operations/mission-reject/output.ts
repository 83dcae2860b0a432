import { ProposalDecision, type ProposalDecisionParts } from '../mission-approve/output.ts'

const schema = { ...ProposalDecision, title: 'Output of waybill mission reject' } as const

/** The output of `mission reject`. */
export type MissionRejectOutput = ProposalDecisionParts
export default schema
