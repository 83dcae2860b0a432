import { spelled } from '../../contract/index.ts'
import { type ErrorCode, WaybillError } from '../../error.ts'
import { isRefusedValue, type Reason, type StartOfTask } from '../../store/index.ts'
import { isAway, patiently } from '../patience.ts'
import type { Assignment, Outcome, Payload, Surroundings, Usage } from '../runner.ts'
import { type Claimed, claim } from './claim.ts'
import type { Attempt } from './durable.ts'
import { type Ending, endAttempt, NOTHING, Overtaken } from './endings.ts'
import type { FAILURE_CODES } from './failure-codes.ts'
import { handOver } from './handover.ts'
import { toldOf } from './problem.ts'
import type { MissionRecord, MissionRecords } from './record.ts'
import type { Examination, Examined, Fault, Workshop } from './workshop.ts'

/** Why the work of an attempt is ended from outside. */
export type Stop = 'cancelled' | 'lost' | 'stopping'

/** For how long a task rests that cannot go on because the database went away, in milliseconds. */
const REST = 1_000

/** Does one attempt at a task, from claim to ending: what goes wrong with the task is an ending. */
export async function executeAttempt(
  attempt: Attempt,
  shop: Workshop,
  records: MissionRecords,
  signal: AbortSignal,
): Promise<void> {
  const claimed = await patiently(() => claim({ attempt, shop, records }))
  if (!claimed) return
  const one = { attempt, ...claimed, shop, signal, handed: { handoff: claimed.start.run.handoff } }
  const ending = await work(one)
  await patiently(() => end(one, ending))
  await shop.afterwards?.(attempt, claimed.start.envelope)
}

async function end({ attempt, start, shop, handed }: Work, ending: Ending): Promise<void> {
  const { store, worker, onStep } = shop
  onStep?.('end')
  const leaving = { attempt, task: start.run, worker, handoff: handed.handoff }
  const proposes = ending.is === 'done' && ending.artifacts.some(isProposal)
  try {
    await store.tenant(attempt.tenant, async tx => {
      const last = await endAttempt(tx, leaving, ending)
      if (!proposes) return last
      await last?.asked
      return shop.waive(tx, attempt)
    })
    onStep?.('leave')
    if (proposes) await shop.recordDecisions(attempt.tenant)
  } catch (error) {
    // Its end may be stored, and its worker not have heard so.
    if (error instanceof Overtaken && proposes) return shop.recordDecisions(attempt.tenant)
    if (error instanceof Overtaken) return
    // Whatever an ending brings that cannot be stored would be refused however often the agent is asked.
    const isTold = ending.is === 'done' || (ending.is !== 'released' && isRefusedValue(error))
    if (!isTold || isAway(error)) throw error
    const failed = shop.closed?.() ? STOPPED : notTaken(error, ending.usage)
    await store.tenant(attempt.tenant, tx => endAttempt(tx, leaving, failed)).catch(unlessOvertaken)
  }
}

function unlessOvertaken(error: unknown): void {
  if (!(error instanceof Overtaken)) throw error
}

function isProposal({ schema_name }: Payload): boolean {
  return schema_name === 'writeback_proposal'
}

/** What the database does not take is as wrong as what a rule does not take; of anything else nobody knows. */
function notTaken(error: unknown, usage: Usage): Ending {
  const isRefusal = error instanceof WaybillError && REFUSALS.has(error.code)
  if (!isRefusal && !isRefusedValue(error)) return { ...failureOf(error), usage }
  const reason = { code: 'mission/artifact-refused', message: toldOf(error) }
  return { is: 'failed', reason, mayRetry: false, usage }
}

const REFUSALS = new Set(['conflict', 'usage', 'not-found'])

interface Work extends Claimed {
  readonly attempt: Attempt
  /** The handoff by which the agent has got the task, as soon as there is one. */
  readonly handed: { handoff: string | null }
  readonly shop: Workshop
  readonly signal: AbortSignal
}

/** What an attempt comes to. */
async function work(one: Work): Promise<Ending> {
  try {
    return await begin(one)
  } catch (error) {
    if (one.signal.aborted || one.shop.closed?.()) return STOPPED
    return isAway(error) ? { is: 'released', after: REST } : failureOf(error)
  }
}

function failureOf(error: unknown): Extract<Ending, { is: 'failed' }> {
  if (!(error instanceof WaybillError)) {
    const reason = { code: 'mission/internal', message: toldOf(error) }
    return { is: 'failed', reason, mayRetry: false, usage: NOTHING }
  }
  const { message, hint } = error
  const said = { code: FAILURES[error.code], message }
  const reason = hint === undefined ? said : { ...said, diagnostics: [{ ...said, path: '', hint }] }
  return { is: 'failed', reason, mayRetry: RETRIED.has(error.code), usage: NOTHING }
}

/** Under which code a task fails for what went wrong around it. */
const FAILURES: Readonly<Record<ErrorCode, keyof typeof FAILURE_CODES | 'mission/internal'>> = {
  configuration: 'mission/configuration',
  'not-found': 'mission/not-found',
  exists: 'mission/exists',
  conflict: 'mission/conflict',
  'input-output': 'mission/input-output',
  'ledger-tampered': 'mission/ledger-tampered',
  // Nobody asks the runtime for these by running a task.
  usage: 'mission/internal',
  'not-approved': 'mission/internal',
  'store-unavailable': 'mission/internal',
  interrupted: 'mission/internal',
  internal: 'mission/internal',
}

const RETRIED = new Set(['input-output', 'conflict'])

/** Whoever stops gives back what is still his: where others have the task already, or nobody is to, that changes nothing. */
const STOPPED: Ending = { is: 'released', after: 0 }

async function begin(one: Work): Promise<Ending> {
  const { start, ready, signal } = one
  if (signal.aborted) return STOPPED
  if ('ending' in ready) return ready.ending
  if ('problem' in ready) throw ready.problem
  const { assignment, record } = ready
  const isContinued = start.run.waitingFor !== null
  if (!isContinued) {
    const refused = await handedOver(assignment, one)
    if (refused) return refused
  }
  if (signal.aborted) return STOPPED
  return answered(assignment, record, one)
}

/** Hands the task to its agent; the ending of one that is refused. */
async function handedOver(
  assignment: Assignment,
  { attempt, inputs, shop, handed }: Work,
): Promise<Ending | undefined> {
  const { agent, task } = assignment
  shop.onStep?.('hand over')
  const passed = await handOver({ attempt, task, from: shop.orchestrator, to: agent, inputs }, () =>
    shop.bench(),
  )
  handed.handoff = passed.handoff
  if (passed.accepted) return undefined
  return { is: 'failed', reason: passed.reason, mayRetry: false, usage: NOTHING }
}

/** Runs the agent, and once more where its answer can be repaired. */
async function answered(
  assignment: Assignment,
  record: MissionRecord,
  { start, shop, signal }: Work,
): Promise<Ending> {
  const { root, environment } = shop
  const tools = await shop.toolsFor(assignment, record, signal)
  let continued = continuedOf(start)
  let refused = refusedBefore(start)
  let usage = NOTHING
  let repair: Assignment['repair'] = null
  try {
    for (;;) {
      shop.onStep?.('run')
      const outcome = await shop.run(
        start.run.agent,
        { ...assignment, repair },
        {
          root,
          environment,
          signal,
          ...(tools && { tools }),
          ...(continued && { continued }),
          ...(repair && { before: start.token }),
        },
      )
      if (signal.aborted) return STOPPED
      usage = sum(usage, outcome)
      if (!isAnswer(outcome)) return endingOf(outcome, usage, start, refused)
      shop.onStep?.('examine')
      const { template } = start
      const examined = await examine(outcome, { assignment, record, template }, shop)
      const { answer, artifacts, plans, faults, isFinal } = examined
      if (faults.length === 0) return { is: 'done', artifacts, plans, usage }
      const last = whyLast(start, refused, isFinal)
      if (last) return refusedAnswer(faults, usage, last)
      refused = refusalOf(faults, 'the answer was refused')
      repair = { answer, diagnostics: faults }
      continued = undefined
    }
  } finally {
    await tools?.close()
  }
}

type Written = Extract<Outcome, { is: 'failed' }> & { readonly written: string }
type Answer = Extract<Outcome, { is: 'returned' }> | Written

/** Whether there is an answer to look at, sound or not. */
function isAnswer(outcome: Outcome): outcome is Answer {
  return outcome.is === 'returned' || (outcome.is === 'failed' && outcome.written !== undefined)
}

async function examine(
  outcome: Answer,
  about: Examined,
  shop: Workshop,
): Promise<Examination & { readonly answer: unknown }> {
  if (outcome.is === 'returned') {
    const { answer } = outcome
    return { answer, ...(await shop.examine(answer, about)) }
  }
  const { written, code, message } = outcome
  return { answer: written, artifacts: [], plans: [], faults: [{ code, path: '', message }] }
}

function continuedOf({ run, token, answer }: StartOfTask): Surroundings['continued'] {
  if (run.waitingFor === null) return undefined
  return { token, ...(answer !== null && { answer }) }
}

/** Why nobody is asked again; a person costs nothing while he is waited for, and is asked as often as it takes. */
function whyLast({ run }: StartOfTask, refused: Reason | null, isFinal = false) {
  if (refused && run.waitingFor !== 'person') return 'what the agent returned was refused twice'
  return isFinal ? 'what the agent returned is not taken' : undefined
}

/** Why the first answer was refused, where the second one is what the task waits for. */
function refusedBefore({ run: { waitingFor, reason } }: StartOfTask): Reason | null {
  return waitingFor !== null && reason?.code === REFUSED ? reason : null
}

const REFUSED = 'mission/answer-refused'

function endingOf(
  outcome: Exclude<Outcome, Answer>,
  usage: Usage,
  { msLeft }: StartOfTask,
  reason: Reason | null,
): Ending {
  if (outcome.is === 'failed') {
    const { code, message, mayRetry } = outcome
    return { is: 'failed', reason: { code, message }, mayRetry, usage }
  }
  // Whoever waits longer than the mission has time is woken to be told so.
  const soonest = Math.min(
    outcome.again ?? Number.POSITIVE_INFINITY,
    msLeft ?? Number.POSITIVE_INFINITY,
  )
  const again = Number.isFinite(soonest) ? Math.max(soonest, 1) : null
  // Whoever is waited for again is told what was wrong with the answer, and that it was the first.
  return { is: 'waiting', for: outcome.for, token: outcome.token ?? null, again, reason, usage }
}

function refusedAnswer(faults: readonly Fault[], usage: Usage, what: string): Ending {
  const reason = refusalOf(faults, what)
  return { is: 'failed', reason, mayRetry: false, usage }
}

function refusalOf(faults: readonly Fault[], what: string): Reason {
  const [first] = faults
  const more = faults.length > 1 ? ` (and ${faults.length - 1} more)` : ''
  const message = `${what}: ${first?.message}${more}`
  // A key of an answer may hold what the database does not.
  const told = faults.slice(0, 20).map(fault => ({ ...fault, path: spelled(fault.path) }))
  return { code: REFUSED, message, diagnostics: told }
}

function sum(before: Usage, outcome: Outcome): Usage {
  const more = outcome.is === 'waiting' ? undefined : outcome.usage
  if (!more) return before
  return {
    inputTokens: before.inputTokens + more.inputTokens,
    outputTokens: before.outputTokens + more.outputTokens,
  }
}
