import type { Diagnostic } from '../../contract/index.ts'
import { type AgentHandoff, agentsOf } from '../../contracts/index.ts'
import type { PolicyEvidence } from '../entries/predicates.ts'
import type { PolicyOutcome } from '../policy/decide.ts'
import type { HandoffPolicyFacts, HandoffRequest, PolicyAgent } from '../policy/request.ts'
import { finding } from './finding.ts'
import type { GovernanceFiles } from './governance-files.ts'

/** Builds the policy request for a handoff; `undefined` unless the manifest has both agents. */
export function policyRequest(
  { source_agent, target_agent }: AgentHandoff,
  { manifest }: GovernanceFiles,
  facts: HandoffPolicyFacts,
): HandoffRequest | undefined {
  if ('missing' in manifest) return undefined
  const agents = agentsOf(manifest.value)
  const [source, target] = [source_agent, target_agent].map(({ agent_id }) => agents.find(agent_id))
  if (!source || !target) return undefined
  // Take agent facts from the manifest, never from the handoff.
  const asked = ({ id, type, version }: PolicyAgent) => ({ id, type, version })
  return { action: 'handoff', source: asked(source), target: asked(target), facts }
}

/** The recorded form of an outcome. */
export function policyEvidence(outcome: PolicyOutcome): PolicyEvidence {
  const { decision, determining, errors, setDigest: set } = outcome
  return { decision, determining, errors, set }
}

const REMEDY = 'waybill policy explain shows each policy'

/** The diagnostics for a handoff that the policies deny; none for one that waits for input. */
export function policyFindings({ decision, determining, errors }: PolicyOutcome): Diagnostic[] {
  if (errors.length > 0) {
    const hint = determining[0]?.remedy ?? REMEDY
    return errors.map(error =>
      finding('gateway/policy-failed', `the policies did not decide: ${error}`, hint),
    )
  }
  if (decision !== 'deny') return []
  return determining.map(({ id, reason, remedy }) =>
    finding('gateway/denied', `the policy ${id} denies it: ${reason}`, remedy ?? REMEDY),
  )
}

/** What a handoff that waits for input needs. */
export function requirementsOf({ decision, determining }: PolicyOutcome): readonly string[] {
  if (decision !== 'needs-input') return []
  return determining.map(({ id, needs, reason }) => `${needs ?? reason} (${id})`)
}
