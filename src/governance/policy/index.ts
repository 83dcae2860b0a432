/** Cedar policies that restrict the rules: their decisions, and explanations for people. */
export { agentsNotCompared, unknownAgents } from './agents.ts'
export { type DecisionArtifact, decisionArtifact } from './artifact.ts'
export { openPoliciesClosed } from './closed.ts'
export { POLICY_CODES } from './codes.ts'
export {
  type Determining,
  openPolicies,
  type Policies,
  type PolicyOutcome,
  readConfigured,
} from './decide.ts'
export { describeDecision } from './describe.ts'
export type { PolicyFault } from './fault.ts'
export { readPolicyFolder } from './files.ts'
export { type Inspected, inspectPolicies } from './inspect.ts'
export type { Policy } from './policy.ts'
export type {
  DataRequest,
  HandoffRequest,
  PolicyAgent,
  ToolRequest,
  WriteBackRequest,
} from './request.ts'
