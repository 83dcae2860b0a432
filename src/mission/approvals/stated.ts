import { quote } from '../../contract/index.ts'
import { formatInstant } from '../../document/index.ts'
import { WaybillError } from '../../error.ts'
import {
  type Gateway,
  readTrust,
  requirePerson,
  standing as standingOf,
} from '../../governance/index.ts'
import { canonicalJson } from '../../ledger/index.ts'
import type { ProposalDecision, StoredProposal } from '../../store/index.ts'
import { partAt, statedIn, timeOf } from '../replay/decision.ts'
import type { Which } from './proposal.ts'

/** The longest life of an approval, in milliseconds. */
export const LONGEST_LIFE = 30 * 24 * 3_600_000

/** What a decision states. */
type Stated = Which &
  Pick<ProposalDecision, 'digest' | 'decision' | 'by' | 'why' | 'expiresAt'> & {
    /** The origin of the log that records it. */
    readonly origin: string
    /** Milliseconds since the epoch. */
    readonly at: number
  }

/** The text that a person signs: canonical JSON, so that anyone can reproduce it. */
export function decisionText({ by, ...given }: Stated): string {
  return textOf(given, { by })
}

/** A policy decision that releases a proposal. */
interface Allowing {
  readonly decision_id: string
  readonly sha256: string
}

/** The statement and the named decider of a release without approval. */
export function waiverText(
  given: Omit<Stated, 'by' | 'why' | 'decision'>,
  policies: readonly Allowing[],
): { readonly stated: string; readonly by: string; readonly why: string } {
  const by = policies.map(({ decision_id }) => `policy decision ${decision_id}`).join(', ')
  const stated = textOf({ ...given, decision: 'approved', why: WHY }, { policies })
  return { stated, by, why: WHY }
}

const WHY = 'no approval is required, and a stored policy decision allows the write-back'

function textOf(given: Omit<Stated, 'by'>, grounds: Readonly<Record<string, unknown>>): string {
  const { origin, tenant, mission, proposal, digest, decision, why, at, expiresAt } = given
  const text = canonicalJson({
    type: 'urn:waybill:statement:writeback-decision',
    ...{ origin, tenant, mission, proposal, sha256: digest, decision, why, ...grounds },
    ...{ at: formatInstant(at), expires: expiresAt && formatInstant(expiresAt.getTime()) },
  })
  if (typeof text === 'string') return text
  throw new WaybillError('usage', `the decision cannot be signed: ${text.fault}`)
}

/**
 * Requires that a decision's statement proves who made it. Otherwise anyone who can write to the database could have
 * the gateway sign a decision.
 */
export async function mustBeStated(
  decision: Which & ProposalDecision,
  { requiresApproval }: Pick<StoredProposal, 'requiresApproval'>,
  gateway: Gateway,
): Promise<void> {
  const { standing, by, statement } = decision
  const { stated, proof } = statement
  const at = timeOf(statedIn(stated).at)
  if (at === undefined) throw notStated(decision)
  const given = { ...decision, origin: gateway.origin, at }
  if (standing === 'policy') {
    if (requiresApproval || !isWaiver(decision, given)) throw notStated(decision)
    return
  }
  const isLong = (decision.expiresAt?.getTime() ?? at) - at > LONGEST_LIFE
  if (isLong || decisionText(given) !== stated) throw notStated(decision)
  const act = decision.decision === 'approved' ? 'approve' : 'reject'
  const bytes = new TextEncoder().encode(stated)
  const person = await requirePerson(gateway, { act, by, bytes, proof: proof as never }, at)
  if (person.standing !== standing) throw notStated(decision)
  const key = person.standing === 'proved' && readTrust(gateway.config).byId(person.keyid)
  // A revoked key could have signed with an earlier date.
  if (key && standingOf(key, gateway.time()) === 'revoked') throw notStated(decision)
}

/** Whether the decision is a release by policy decisions, in its fixed wording. */
function isWaiver(
  { by, why, decision, statement: { stated } }: ProposalDecision,
  given: Omit<Stated, 'by' | 'why' | 'decision'>,
): boolean {
  const { policies } = partAt(JSON.parse(String(stated)))
  const named = Array.isArray(policies) ? policies.map(one => Object(one) as Allowing) : []
  const waiver = waiverText(given, named)
  const isSame = waiver.stated === stated && waiver.by === by && waiver.why === why
  return isSame && named.length > 0 && decision === 'approved'
}

function notStated({ proposal }: ProposalDecision): WaybillError {
  return new WaybillError(
    'not-approved',
    `no valid statement proves the decision on ${quote(proposal)}`,
    {
      hint: 'find out who can write to the database; after the owner removes the row, a person can decide',
    },
  )
}
