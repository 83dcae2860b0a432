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
 * Lets out the proposals of a mission that nobody has to approve: those that say so, whose review lets them out, and that
 * a stored policy decision of type writeback allows. Answers which; all others wait for a person.
 *
 * It is decided in the transaction that is given; `recordDecisions` records it where the log is elsewhere.
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
  // A decision that was erased may have been the one that denies.
  if (policies.some(({ payload }) => payload === null)) return []
  const at = gateway.time()
  const released: string[] = []
  for (const proposal of waived) {
    if (!(await isAllowed(proposal, [envelope, ...policies], at))) continue
    // Nobody has approved it: only a policy that permits just that lets it out.
    const asked = await askedOf(tx, proposal, { approved: false, approvals: [] })
    const outcome = asked && (await askWriteBack(asked, gateway))
    if (!outcome) continue
    if (outcome.decision !== 'allow') {
      await storeDenial(tx, proposal, outcome, at)
      continue
    }
    const beside = { origin: gateway.origin, at, policy: evidenceOf(outcome) }
    const decision = decisionOf(tenant, proposal, policies, beside)
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

/** By the rules of its contract, with what is stored now. */
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

/** A decision is on a proposal if it names it, what it does or what it changes. */
function isOn({ payload: policy }: StoredArtifact, proposal: Payload): boolean {
  const { proposal_id, action_type, target_entity_id, target_entity_type, producer } = proposal
  const named = [proposal_id, action_type, target_entity_id, target_entity_type]
  return named.includes(policy?.subject) && policy?.producer !== producer
}
