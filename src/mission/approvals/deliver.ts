import {
  entryAt,
  type Gateway,
  type PolicyOutcome,
  type Predicates,
} from '../../governance/index.ts'
import {
  claimDelivery,
  type DeliveryAttempt,
  type DeliveryOutcome,
  deliverAgain,
  noteDelivery,
  readRun,
  type Store,
  type StoredProposal,
} from '../../store/index.ts'
import { patiently } from '../patience.ts'
import type { Attempt } from '../run/durable.ts'
import { askedOf, askWriteBack, type Evidence, evidenceOf, whyDenied } from './policy.ts'
import { valueDigest, type Which } from './proposal.ts'
import { idsOf } from './record.ts'
import { deliveredProposal, deliveryTask } from './reserved.ts'
import { type Approved, type Destinations, sendProposal } from './send.ts'
import { whyNotVouched } from './vouched.ts'
import { failed, retried, type Sent } from './webhook.ts'

/** What a delivery needs: the destinations and the gateway. */
export interface Dispatch extends Destinations {
  readonly gateway: Gateway
}

/** A delivery fails for good after this many failed attempts. */
const MOST_FAILURES = 12
/** A delivery fails for good after this many starts, including those whose worker died. */
const MOST_ATTEMPTS = 60
/**
 * The delay after the first failure, and the largest delay, in milliseconds: twelve attempts take about three hours.
 */
const FIRST_PAUSE = 10_000
const LONGEST_PAUSE = 3_600_000
/** The longest delay that a receiver can request with Retry-After, in milliseconds. */
const LONGEST_ASKED = 6 * 3_600_000

/**
 * Attempts to deliver an approved proposal once and records the outcome. If the worker dies after sending, the next
 * attempt sends the same proposal with the same id.
 */
export async function deliver(
  attempt: Attempt,
  dispatch: Dispatch,
  signal: AbortSignal,
): Promise<void> {
  const which = deliveryOf(attempt)
  if (!which) return
  const { store } = dispatch
  let askedBefore = false
  const found = await patiently(() => {
    const how = { askedBefore }
    askedBefore = true
    return store.tenant(which.tenant, tx => claimDelivery(tx, which, how))
  })
  if (!found) return
  const one = { which, found, dispatch }
  const known = found.delivery?.outcome
  if (known && known.is !== 'retried') return settle(one, known)
  const sent = await trySending(one, signal)
  // This worker is stopping: let another one start at once.
  if (!sent) return again(store, which, 0)
  const outcome = outcomeOf(sent, known?.failures ?? 0)
  const counts = await patiently(() =>
    store.tenant(which.tenant, tx => noteDelivery(tx, which, { outcome })),
  )
  if (!counts) return
  if (outcome.is === 'retried') await again(store, which, pauseAfter(outcome.failures, sent.after))
  else await settle(one, outcome)
}

/** Requeues a delivery whose worker died. */
export async function takeOverDelivery(store: Store, attempt: Attempt): Promise<void> {
  const which = deliveryOf(attempt)
  if (which) await again(store, which, 0)
}

type Trying = Which & DeliveryAttempt

interface Job {
  readonly which: Trying
  readonly found: StoredProposal
  readonly dispatch: Dispatch
}

function deliveryOf({ tenant, mission, task, attempt }: Attempt): Trying | undefined {
  const proposal = deliveredProposal(task)
  return proposal === undefined ? undefined : { tenant, mission, proposal, attempt }
}

/** The result of one attempt, with the policy decision if policies were evaluated. */
interface Tried extends Sent {
  readonly policy?: Evidence
}

/** Sends the proposal; returns undefined when the signal aborts. */
async function trySending(
  { which, found, dispatch }: Job,
  signal: AbortSignal,
): Promise<Tried | undefined> {
  const approved = approvedIn(which, found)
  if ('is' in approved) return approved
  if (which.attempt > MOST_ATTEMPTS)
    return failed(
      'writeback/given-up',
      `it was started ${MOST_ATTEMPTS} times, and every worker died`,
    )
  try {
    const { decision } = approved.found
    const unvouched = await patiently(() => whyNotVouched(which, decision, dispatch.gateway))
    if (unvouched) return unvouched
    const asked = await patiently(() => askAgain(approved, dispatch))
    if (asked === 'cancelled') return failed('writeback/cancelled', 'its mission was cancelled')
    if (!asked) return failed('writeback/erased', 'the envelope of its mission was erased')
    const policy = evidenceOf(asked)
    if (asked.decision !== 'allow') return { ...deniedBy(asked), policy }
    return { ...(await sendProposal(approved, dispatch, signal)), policy }
  } catch (error) {
    if (signal.aborted) return undefined
    const name = error instanceof Error ? error.name : 'unknown error'
    return retried('writeback/internal', `sending failed (${name})`)
  }
}

/** Evaluates the policies again: they, or the agent's quarantine, may have changed since the approval. */
async function askAgain(
  { which, found }: Approved,
  { store, gateway }: Dispatch,
): Promise<PolicyOutcome | 'cancelled' | undefined> {
  const { standing, by } = found.decision
  const approved = standing !== 'policy'
  const approvals = approved ? [by] : []
  const [run, asked] = await store.tenant(which.tenant, tx =>
    Promise.all([readRun(tx, which.mission), askedOf(tx, found, { approved, approvals })]),
  )
  if (run?.state === 'cancelled') return 'cancelled'
  return asked && askWriteBack(asked, gateway)
}

/** A denial is final; a policy that failed to evaluate may be fixed, so the delivery is retried. */
function deniedBy(outcome: PolicyOutcome): Sent {
  const why = `policies deny it: ${whyDenied(outcome)}`
  return (outcome.errors.length > 0 ? retried : failed)('writeback/denied', why)
}

/** Returns the approved proposal, or why it must not be sent. */
function approvedIn(which: Trying, found: StoredProposal): Approved | Sent {
  const { payload, digest, decision } = found
  if (decision?.decision !== 'approved' || decision.entry === null)
    return failed('writeback/not-approved', 'no log entry records its approval')
  if (decision.isExpired) {
    const since = decision.expiresAt?.toISOString()
    return failed('writeback/expired', `the approval expired at ${since}`)
  }
  if (!payload) return failed('writeback/erased', 'the proposal was erased')
  if (decision.digest !== digest || valueDigest(payload) !== digest)
    return failed('writeback/changed', 'the proposal changed after it was approved')
  return { which, found: { ...found, payload, decision } }
}

function outcomeOf({ is, code, message, policy }: Tried, before: number): DeliveryOutcome {
  const failures = before + (is === 'delivered' ? 0 : 1)
  const counted = { failures, ...(policy && { policy }) }
  if (is !== 'retried' || failures < MOST_FAILURES) return { is, code, message, ...counted }
  const given = `${message}; gave up after ${MOST_FAILURES} attempts`
  return { is: 'failed', code: 'writeback/given-up', message: given, ...counted }
}

/** Exponential backoff with jitter, in milliseconds. */
function pauseAfter(failures: number, asked = 0): number {
  const own = Math.min(LONGEST_PAUSE, FIRST_PAUSE * 2 ** (failures - 1))
  return Math.round(Math.max(own * (0.75 + Math.random() / 2), Math.min(asked, LONGEST_ASKED)))
}

/** Records an outcome and ends the delivery. If recording fails, it is retried without sending again. */
async function settle(one: Job, outcome: DeliveryOutcome): Promise<void> {
  const { which, dispatch } = one
  const { store } = dispatch
  let recorded: DeliveryOutcome
  try {
    recorded = await patiently(() => record(one, outcome))
  } catch (error) {
    await again(store, which, pauseAfter(1))
    throw error
  }
  const state = recorded.is === 'delivered' ? 'delivered' : 'failed'
  const end = { state, outcome: recorded } as const
  await patiently(() => store.tenant(which.tenant, tx => noteDelivery(tx, which, end)))
}

/** A delivery has one recorded outcome: returns the existing one if another worker recorded it first. */
async function record(
  { which, found, dispatch: { gateway } }: Job,
  outcome: DeliveryOutcome,
): Promise<DeliveryOutcome> {
  const { is, code, message } = outcome
  const policy = outcome.policy as Evidence | undefined
  const { proposal, attempt: attempts } = which
  const entry = found.decision?.entry
  const answer = await gateway.record('writeback-outcome', {
    subject: [{ name: 'writeback-proposal', digest: { sha256: found.digest } }],
    ids: { ...idsOf(which), ...(entry && { entry }) },
    agents: found.agents,
    says: {
      ...{ proposal, code, message, attempts },
      outcome: is === 'delivered' ? 'delivered' : 'failed',
      ...(policy && { policy }),
    },
  })
  if (!('taken' in answer)) return outcome
  const first = await entryAt(gateway.log, answer.index)
  if (first.is !== 'entry') return outcome
  const recorded = first.statement.predicate as unknown as Predicates['writeback-outcome']
  return { ...outcome, is: recorded.outcome, code: recorded.code, message: recorded.message }
}

async function again(store: Store, which: Trying, delay: number): Promise<void> {
  const task = deliveryTask(which.proposal)
  await patiently(() =>
    store.tenant(which.tenant, tx => deliverAgain(tx, { ...which, task, delay })),
  )
}
