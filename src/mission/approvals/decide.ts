import { counted, quote } from '../../contract/index.ts'
import { findSecrets } from '../../document/index.ts'
import { WaybillError } from '../../error.ts'
import { type Gateway, type PolicyOutcome, requirePerson } from '../../governance/index.ts'
import {
  insertDecision,
  type ProposalDecision,
  readProposal,
  readRun,
  type Store,
  type StoredDecision,
  type StoredProposal,
  type Tx,
} from '../../store/index.ts'
import {
  askedOf,
  askWriteBack,
  type Evidence,
  evidenceOf,
  storeDenial,
  whyDenied,
} from './policy.ts'
import { isSamePrincipal } from './principals.ts'
import {
  alreadyDecided,
  type Decidable,
  decidable,
  type Which,
  whyNotReviewed,
} from './proposal.ts'
import { recordDecision, recordIn } from './record.ts'
import { decisionText, LONGEST_LIFE } from './stated.ts'

/** How long an approval is valid by default, in milliseconds. */
export const APPROVAL_LIFE = 24 * 3_600_000

/** A person's decision on a proposal. */
export interface Deciding extends Which {
  readonly decision: 'approved' | 'rejected'
  readonly by: string
  readonly why: string
  /** The digest of the proposal that the person was shown. */
  readonly shown?: string | undefined
  /** The file of the person's key. */
  readonly keyFile?: string | undefined
  /** How long an approval is valid, in milliseconds. */
  readonly life?: number | undefined
}

/** A stored decision, and the key that signed it. */
export interface Decided {
  readonly proposal: StoredProposal
  readonly decision: StoredDecision
  /** The key that signed the decision; null when there is no signature. */
  readonly keyid: string | null
}

/**
 * Decides a proposed write-back: once, by a person other than its producer, bound to the proposal's digest and recorded
 * in the log. If the decision is stored but recording fails, the error is thrown and `recordDecisions` records it
 * later.
 * @throws {WaybillError} 'not-approved' when the proposal is already decided or may not be written back.
 */
export async function decideProposal(
  store: Store,
  gateway: Gateway,
  given: Deciding,
): Promise<Decided> {
  mustBeStated(given)
  const { tenant, decision, by, why, keyFile, life = APPROVAL_LIFE } = given
  const found = await store.tenant(tenant, tx => examine(tx, given))
  const at = gateway.time()
  const expiresAt = decision === 'approved' ? new Date(at + life) : null
  const { mission, proposal: name, digest } = found
  const { origin } = gateway
  const text = decisionText({ ...given, mission, digest, expiresAt, origin, at })
  const bytes = new TextEncoder().encode(text)
  const person = await requirePerson(gateway, { act: actOf(decision), by, bytes, keyFile }, at)
  const proof = person.standing === 'proved' && { proof: person.proof }
  const policy = decision === 'approved' && {
    policy: await permitted(store, gateway, found, given),
  }
  const stated: ProposalDecision = {
    ...{ mission, proposal: name, digest, decision, by, why, expiresAt, decidedAt: new Date(at) },
    ...{ standing: person.standing, statement: { stated: text, ...proof, ...policy } },
  }
  await store.tenant(tenant, async tx => {
    // Signing may take a while: check again.
    await examine(tx, { ...given, shown: digest })
    if (!(await insertDecision(tx, stated))) throw await lost(tx, stated)
    await recordIn(tx, { tenant, ...stated }, gateway)
  })
  await recordDecision(store, { tenant, ...stated }, gateway)
  const proposal = await store.tenant(tenant, tx => readProposal(tx, stated))
  if (!proposal?.decision) throw new WaybillError('internal', 'a decision that was stored is gone')
  const keyid = person.standing === 'proved' ? person.keyid : null
  return { proposal, decision: proposal.decision, keyid }
}

function actOf(decision: Deciding['decision']) {
  return decision === 'approved' ? ('approve' as const) : ('reject' as const)
}

/** Asks the policies about an approval; a refusal is stored and thrown. */
async function permitted(
  store: Store,
  gateway: Gateway,
  found: Decidable,
  { tenant, by }: Deciding,
): Promise<Evidence> {
  const outcome = await outcomeOf(store, gateway, found, { tenant, by })
  if (outcome.decision === 'allow') return evidenceOf(outcome)
  await store.tenant(tenant, tx => storeDenial(tx, found, outcome, gateway.time()))
  throw refusedBy(outcome)
}

/** Evaluates the policies as if the person had approved. */
async function outcomeOf(
  store: Store,
  gateway: Gateway,
  found: Decidable,
  { tenant, by }: { readonly tenant: string; readonly by?: string },
): Promise<PolicyOutcome> {
  const approvals = by === undefined ? [] : [by]
  const asked = await store.tenant(tenant, tx => askedOf(tx, found, { approved: true, approvals }))
  if (!asked) throw new WaybillError('not-approved', 'the envelope of the mission was erased')
  return askWriteBack(asked, gateway)
}

function refusedBy(outcome: PolicyOutcome): WaybillError {
  return new WaybillError('not-approved', `policies deny the write-back: ${whyDenied(outcome)}`, {
    hint: outcome.determining[0]?.remedy ?? 'you can still reject the proposal',
  })
}

/** Runs the checks of `decideProposal` without storing anything. */
export async function examineProposal(
  store: Store,
  gateway: Gateway,
  given: Which & Pick<Deciding, 'decision' | 'shown' | 'keyFile'> & { readonly by?: string },
): Promise<Decidable> {
  const found = await store.tenant(given.tenant, tx => examine(tx, given))
  const { by, keyFile } = given
  // Nothing is signed, so the bytes are empty.
  const asked = { act: actOf(given.decision), bytes: new Uint8Array(), keyFile }
  if (by !== undefined) await requirePerson(gateway, { ...asked, by }, gateway.time())
  if (given.decision !== 'approved') return found
  const outcome = await outcomeOf(store, gateway, found, given)
  if (outcome.decision !== 'allow') throw refusedBy(outcome)
  return found
}

async function examine(
  tx: Tx,
  given: Which & Pick<Deciding, 'decision' | 'shown'> & { readonly by?: string },
): Promise<Decidable> {
  const found = await decidable(tx, given, given.shown)
  if (given.by !== undefined) mustBeAnother(given.by, found)
  if (given.decision === 'approved') await mustBeReleasable(tx, found)
  return found
}

/**
 * Requires that the person neither produced the proposal nor answered for its producer; requesting the mission is fine.
 */
function mustBeAnother(by: string, { payload, agents, people }: Decidable): void {
  for (const who of [payload.producer, ...agents, ...people]) {
    if (typeof who !== 'string' || !isSamePrincipal(by, who)) continue
    const what = people.includes(who) ? 'answered the task that proposed it' : 'produced it'
    const same = by === who ? `${quote(by)} ${what}` : `${quote(by)} is ${quote(who)}, who ${what}`
    throw new WaybillError('not-approved', `${same}: another person must decide`, {
      hint: 'name another person with --by',
    })
  }
}

async function mustBeReleasable(tx: Tx, { mission }: Decidable): Promise<void> {
  const run = await readRun(tx, mission)
  const why =
    run?.state === 'cancelled' ? 'the mission was cancelled' : await whyNotReviewed(tx, mission)
  if (why === undefined) return
  throw new WaybillError('not-approved', `cannot write back results of this mission: ${why}`, {
    hint: 'you can still reject the proposal',
  })
}

function mustBeStated({ by, why, life = APPROVAL_LIFE }: Deciding): void {
  if (by.trim() === '' || why.trim() === '')
    throw new WaybillError('usage', 'a decision needs --by <name> and --why <reason>', {
      hint: 'add --by <name> --why <reason>',
    })
  if (findSecrets(by).length > 0)
    throw new WaybillError('usage', '--by contains what looks like a credential', {
      hint: "give the person's name: --by <name>",
    })
  if (findSecrets(why).length > 0)
    throw new WaybillError('usage', 'the reason contains what looks like a credential', {
      hint: 'remove it from the reason',
    })
  if (why.includes('\0')) throw new WaybillError('usage', 'the reason contains a null character')
  if (!(life >= 1000 && life <= LONGEST_LIFE))
    throw new WaybillError(
      'usage',
      `an approval must be valid for 1 second to ${counted(LONGEST_LIFE / 86_400_000, 'day')}`,
    )
}

async function lost(tx: Tx, which: ProposalDecision): Promise<WaybillError> {
  const found = await readProposal(tx, which)
  return found?.decision
    ? alreadyDecided(found.decision)
    : new WaybillError('not-approved', 'the proposal was decided by someone else at the same time')
}
