import type { Gateway } from '../../governance/index.ts'
import {
  insertDecision,
  listArtifacts,
  listProposals,
  type ProposalDecision,
  readArtifact,
  type StoredArtifact,
  type StoredProposal,
  type Tx,
} from '../../store/index.ts'
import { checkArtifacts } from '../plan/check.ts'
import type { Payload } from '../runner.ts'
import { APPROVAL_LIFE } from './decide.ts'
import { askedOf, askWriteBack, type Evidence, evidenceOf, storeDenial } from './policy.ts'
import { type Decidable, valueDigest, whyNotReviewed } from './proposal.ts'
import { recordIn } from './record.ts'
import { waiverText } from './stated.ts'

/**
 * Releases the proposals of a mission that require no approval, whose review allows it and that a stored policy
 * decision of type writeback allows. Returns their ids; the others wait for a person. Decides in the given transaction;
 * `recordDecisions` records it if the log is elsewhere.
 */
export async function waiveApprovals(
  tx: Tx,
  which: { readonly tenant: string; readonly mission: string },
  gateway: Gateway,
): Promise<readonly string[]> {
  const { tenant, mission } = which
  const open = await listProposals(tx, { mission, isOpen: true })
  const waived = open.filter(({ requiresApproval }) => !requiresApproval).filter(isReadable)
  if (waived.length === 0 || (await whyNotReviewed(tx, mission)) !== undefined) return []
  const envelope = await readArtifact(tx, 'mission_envelope', mission, mission)
  const policies = (await listArtifacts(tx, 'policy_decision', mission)).filter(isWriteBack)
  // An erased decision may have been a denial.
  if (policies.some(({ payload }) => payload === null)) return []
  const at = gateway.time()
  const released: string[] = []
  for (const proposal of waived) {
    if (!(await isAllowed(proposal, [envelope, ...policies], at))) continue
    // Without an approval, only a policy that permits exactly this releases it.
    const asked = await askedOf(tx, proposal, { approved: false, approvals: [] })
    const outcome = asked && (await askWriteBack(asked, gateway))
    if (!outcome) continue
    if (outcome.decision !== 'allow') {
      await storeDenial(tx, proposal, outcome, at)
      continue
    }
    const evidence = { origin: gateway.origin, at, policy: evidenceOf(outcome) }
    const decision = decisionOf(tenant, proposal, policies, evidence)
    if (!(await insertDecision(tx, decision))) continue
    await recordIn(tx, { tenant, ...decision }, gateway)
    released.push(proposal.proposal)
  }
  return released
}

function isReadable(proposal: StoredProposal): proposal is Decidable {
  return proposal.payload !== null && valueDigest(proposal.payload) === proposal.digest
}

function isWriteBack({ payload }: StoredArtifact): boolean {
  return payload === null || payload.decision_type === 'writeback'
}

/** Checks the proposal's contract against what is stored now. */
async function isAllowed(
  { payload }: Decidable,
  stored: readonly (StoredArtifact | undefined)[],
  now: number,
): Promise<boolean> {
  const facts = stored.flatMap(one => (one?.payload ? [one.payload] : []))
  const [checked] = await checkArtifacts([payload], facts, { now })
  return checked?.accepted === true
}

function decisionOf(
  tenant: string,
  { mission, proposal, digest, payload }: Decidable,
  policies: readonly StoredArtifact[],
  {
    origin,
    at,
    policy,
  }: { readonly origin: string; readonly at: number; readonly policy: Evidence },
): ProposalDecision {
  const allowing = policies.filter(one => one.payload?.decision === 'allow' && isOn(one, payload))
  const expiresAt = new Date(at + APPROVAL_LIFE)
  const given = { tenant, mission, proposal, digest, expiresAt, origin, at }
  const named = allowing.map(one => ({ decision_id: one.id, sha256: one.digest }))
  const { stated, by, why } = waiverText(given, named)
  return {
    ...{ mission, proposal, digest, decision: 'approved', standing: 'policy', by, why },
    ...{ statement: { stated, policy }, expiresAt, decidedAt: new Date(at) },
  }
}

/** A decision covers a proposal if its subject is the proposal, its action or its target. */
function isOn({ payload: policy }: StoredArtifact, proposal: Payload): boolean {
  const { proposal_id, action_type, target_entity_id, target_entity_type, producer } = proposal
  const named = [proposal_id, action_type, target_entity_id, target_entity_type]
  return named.includes(policy?.subject) && policy?.producer !== producer
}
