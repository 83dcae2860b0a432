/** What narrows the rules: policies in Cedar, the decisions that they make, and what tells a person why. */
export { type DecisionArtifact, type DecisionIds, decisionArtifact } from './artifact.ts'
export { POLICY_CODES, type PolicyCode } from './codes.ts'
export {
  type Determining,
  openPolicies,
  type Policies,
  type PolicyOptions,
  type PolicyOutcome,
  readConfigured,
} from './decide.ts'
export { describeDecision } from './describe.ts'
export type { PolicyFault } from './fault.ts'
export { readPolicyFolder } from './files.ts'
export { type Inspected, inspectPolicies } from './inspect.ts'
export type { Policy, PolicyAction } from './policy.ts'
export type {
  DataRequest,
  HandoffPolicyFacts,
  HandoffRequest,
  PolicyAgent,
  PolicyRequest,
  PolicyResource,
  ToolRequest,
  WriteBackRequest,
} from './request.ts'
