import { WaybillError } from '../../error.ts'
import {
  decisionArtifact,
  type Gateway,
  openGovernanceFiles,
  openPoliciesClosed,
  type PolicyAgent,
  type PolicyOutcome,
  type Predicates,
  policyEvidence,
  quarantineOf,
} from '../../governance/index.ts'
import { insertArtifact, listAuthors, readArtifact, type Tx } from '../../store/index.ts'
import { sha256 } from '../../workspace/index.ts'
import { policyAgent } from '../decide-for.ts'
import type { Payload } from '../runner.ts'
import { valueDigest } from './proposal.ts'

/** A policy decision on a write-back, as recorded in the log. */
export type Evidence = NonNullable<Predicates['writeback-decision']['policy']>

/** The input of a policy decision on a write-back. */
export interface Asked {
  /** The proposal itself. */
  readonly payload: Payload
  readonly envelope: Payload
  /**
   * The agents that propose it, by canonical id and role; empty when no task is known, and then its producer counts.
   */
  readonly authors: readonly { readonly agent: string; readonly role: string }[]
  /** Whether a person other than its producer approved exactly this proposal. */
  readonly approved: boolean
  /** The people who approved it. */
  readonly approvals: readonly string[]
}

/**
 * Evaluates the current policies on a write-back for every agent that proposes it. Returns the first decision that is
 * not allow; a policy that fails to evaluate denies.
 */
export async function askWriteBack(
  { payload, envelope, authors, approved, approvals }: Asked,
  gateway: Gateway,
): Promise<PolicyOutcome> {
  const { root, config, policyThread: thread } = gateway
  const policies = openPoliciesClosed(root, config, { thread })
  const governanceFiles = await openGovernanceFiles(root, config)()
  const agents: PolicyAgent[] =
    authors.length === 0
      ? [{ id: String(payload.producer), type: 'domain', version: '0.0.0' }]
      : authors.map(({ agent, role }) => policyAgent(agent, role, { governanceFiles }))
  const kept = await quarantineOf(
    gateway,
    agents.map(({ id }) => id),
  )
  const outcomes: PolicyOutcome[] = []
  for (const agent of agents)
    outcomes.push(
      await policies.decideAside({
        action: 'writeBack',
        agent,
        resource: {
          id: String(payload.target_entity_id),
          sensitivity: String(envelope.sensitivity_class),
        },
        facts: {
          approved,
          approvals,
          quarantined: Object.hasOwn(kept, agent.id),
          mission: { id: String(envelope.mission_id), risk: String(envelope.risk_level) },
        },
      }),
    )
  const [first] = outcomes
  const outcome = outcomes.find(({ decision }) => decision !== 'allow') ?? first
  if (!outcome) throw new WaybillError('internal', 'a write-back was evaluated for no agent')
  return outcome
}

/**
 * Decides on proposals that require no approval, as policy decisions of type `writeback` at the time of the answer.
 * Without an allowing one, such a proposal is refused.
 */
export async function decideWaived(
  proposed: readonly Payload[],
  from: Pick<Asked, 'envelope'> & {
    readonly agent: string
    readonly role: string
    readonly at: number
  },
  gateway: Gateway,
): Promise<Payload[]> {
  const { envelope, agent, role, at } = from
  const mission = { id: String(envelope.mission_id) }
  const decided: Payload[] = []
  for (const payload of proposed) {
    const { schema_name, requires_approval, proposal_id: id } = payload
    if (schema_name !== 'writeback_proposal' || requires_approval !== false) continue
    if (typeof id !== 'string') continue
    const asked = { payload, envelope, authors: [{ agent, role }], approved: false, approvals: [] }
    const outcome = await askWriteBack(asked, gateway)
    const digest = sha256(JSON.stringify([mission.id, id, valueDigest(payload)]))
    const about = { decisionId: `pol_writeback_${digest.slice(0, 32)}`, subject: id, mission }
    decided.push({ ...decisionArtifact(outcome, { ...about, at }) })
  }
  return decided
}

/** Reads the input of a policy decision on a stored proposal; undefined when its mission was erased. */
export async function askedOf(
  tx: Tx,
  {
    mission,
    proposal,
    payload,
  }: { readonly mission: string; readonly proposal: string; readonly payload: Payload },
  by: Pick<Asked, 'approved' | 'approvals'>,
): Promise<Asked | undefined> {
  const envelope = await readArtifact(tx, 'mission_envelope', mission, mission)
  if (!envelope?.payload) return undefined
  const authors = await listAuthors(tx, { mission, proposal })
  return { payload, envelope: envelope.payload, authors, ...by }
}

/** Why a write-back is denied, in the words of the deciding policies. */
export function whyDenied({ decision, determining }: PolicyOutcome): string {
  return determining
    .map(({ id, reason, needs }) =>
      decision === 'needs-input' && needs !== undefined
        ? `it needs ${needs}: ${reason} (${id})`
        : `${reason} (${id})`,
    )
    .join('; ')
}

/** Converts a policy outcome to its form in the log. */
export function evidenceOf(outcome: PolicyOutcome): Evidence {
  return policyEvidence(outcome)
}

/**
 * A decision type of its own: this denial covers one moment and one proposal, and neither releases nor withdraws
 * another.
 */
const AT_APPROVAL = 'writeback_approval'

/** Stores a denied approval as an artifact of its mission, once for each set of policies. */
export async function storeDenial(
  tx: Tx,
  {
    mission,
    proposal,
    digest,
  }: { readonly mission: string; readonly proposal: string; readonly digest: string },
  outcome: PolicyOutcome,
  at: number,
): Promise<void> {
  const reasons = outcome.determining.map(({ id }) => id)
  const about = [mission, proposal, digest, outcome.setDigest, outcome.decision, reasons]
  const decisionId = `pol_approval_${sha256(JSON.stringify(about)).slice(0, 32)}`
  if (await readArtifact(tx, 'policy_decision', mission, decisionId)) return
  const ids = { decisionId, subject: proposal, mission: { id: mission }, at }
  const artifact = { ...decisionArtifact(outcome, ids), decision_type: AT_APPROVAL }
  await insertArtifact(tx, artifact as unknown as Payload)
}
