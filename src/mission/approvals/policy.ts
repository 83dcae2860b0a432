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

/** What policies said to a write-back, as the log has it. */
export type Evidence = NonNullable<Predicates['writeback-decision']['policy']>

/** A write-back that policies are asked about. */
export interface Asked {
  /** The proposal itself. */
  readonly payload: Payload
  readonly envelope: Payload
  /** Who proposes it, each by canonical id and role; whoever it names as its producer, where no task is known. */
  readonly authors: readonly { readonly agent: string; readonly role: string }[]
  /** Whether somebody other than its producer has approved exactly this proposal. */
  readonly approved: boolean
  /** Who that was. */
  readonly approvals: readonly string[]
}

/**
 * What the policies of the repository say, as they are at this moment, to a change being written back: for every agent
 * that proposes it. Where one is not allowed to, that is the answer; what cannot be decided is denied.
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
  if (!outcome) throw new WaybillError('internal', 'a write-back was decided on for nobody')
  return outcome
}

/**
 * Decides on what is proposed to be written back without a person's approval, as artifacts of the type `writeback`: without
 * one that allows it such a proposal is not taken. They are of the moment at which the answer is judged.
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

/** What it takes to ask about a proposal, from where it is stored; nothing where its mission was erased. */
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

/** Why a write-back may not be, in the words of the policies that say so. */
export function whyDenied({ decision, determining }: PolicyOutcome): string {
  return determining
    .map(({ id, reason, needs }) =>
      decision === 'needs-input' && needs !== undefined
        ? `it needs ${needs}: ${reason} (${id})`
        : `${reason} (${id})`,
    )
    .join('; ')
}

/** An outcome as the log has it. */
export function evidenceOf(outcome: PolicyOutcome): Evidence {
  return policyEvidence(outcome)
}

/**
 * Not the type of a decision that lets a proposal out without a person, nor one that takes it back: this one is about one
 * moment, and about no other proposal that has such a name.
 */
const AT_APPROVAL = 'writeback_approval'

/** Stores that policies have refused a write-back when it was to be approved, as an artifact of its mission; once for each set of policies. */
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
