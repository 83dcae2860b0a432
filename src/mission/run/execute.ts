import { type Reason, readRun, type StartOfTask } from '../../store/index.ts'
import { isAway, patiently } from '../patience.ts'
import type { Assignment, Kept, Outcome, RunContext, Tools, Usage } from '../runner.ts'
import { leftOf } from './budget.ts'
import { type Claimed, openClaims } from './claim.ts'
import type { Attempt } from './durable.ts'
import { type Ending, NOTHING } from './endings.ts'
import { failureOf } from './failure.ts'
import { handOver } from './handover.ts'
import { type Ends, leave, openEnds, STOPPED } from './leave.ts'
import {
  type Answer,
  endingOf,
  isAnswer,
  refusalOf,
  refusedAnswer,
  refusedBefore,
  sum,
  whyLast,
} from './outcome.ts'
import { type MissionRecord, MissionRecords } from './record.ts'
import type { Examination, Examined, WorkerContext } from './worker-context.ts'

/** The delay of a task interrupted by a database outage, in milliseconds. */
const REST = 1_000

/** State shared by the attempts of one worker. */
export interface Common {
  readonly records: MissionRecords
  readonly claims: ReturnType<typeof openClaims>
  readonly ends: Ends
}

/** Creates the shared state of a worker. */
export function openCommon(): Common {
  return { records: new MissionRecords(), claims: openClaims(), ends: openEnds() }
}

/** How often an answer is checked again because an id is taken. */
const MOST_TAKEN = 5

/** Runs one attempt from claim to end; a failure of the task becomes its ending. */
export async function executeAttempt(
  attempt: Attempt,
  shop: WorkerContext,
  { records, claims, ends }: Common,
  signal: AbortSignal,
): Promise<void> {
  const claimed = await patiently(() => claims.ask({ attempt, shop, records }))
  if (!claimed) return
  const { start } = claimed
  const handed = { handoff: start.run.handoff }
  const since = performance.now()
  const one = { attempt, ...claimed, since, shop, records, signal, handed }
  let worked = await work(one, () => begin(one))
  for (let taken = 0; ; ) {
    const { ending, again } = worked
    const how = { shop, ends, isLast: taken === MOST_TAKEN || !again }
    const leaving = { attempt, task: start.run, worker: shop.worker, handoff: handed.handoff }
    const left = await patiently(() => leave(leaving, ending, how))
    if (left === 'stored' || !again) break
    // Changes by others are finite, so only taken ids are counted.
    if (left === 'taken') taken++
    worked = await work(one, again, ending.usage)
  }
  await shop.afterwards?.(attempt, start.envelope)
}

/** The ending of an attempt. */
interface AttemptOutcome {
  readonly ending: Ending
  /** Checks the answer again against the current mission. */
  readonly again?: () => Promise<AttemptOutcome>
}

interface Work extends Claimed {
  readonly attempt: Attempt
  /** When it was claimed, by `performance.now()`. */
  readonly since: number
  /** The accepted handoff to the agent, once there is one. */
  readonly handed: { handoff: string | null }
  readonly shop: WorkerContext
  readonly records: MissionRecords
  readonly signal: AbortSignal
}

/** Runs a step, turns errors into endings and keeps the usage so far. */
async function work<T>(
  { signal, shop }: Work,
  how: () => Promise<T>,
  usage = NOTHING,
): Promise<T | AttemptOutcome> {
  try {
    return await how()
  } catch (error) {
    if (signal.aborted || shop.closed?.()) return { ending: { ...STOPPED, usage } }
    if (isAway(error)) return { ending: { is: 'released', after: REST, usage } }
    return { ending: { ...failureOf(error), usage } }
  }
}

async function begin(one: Work): Promise<AttemptOutcome> {
  const { start, ready, signal } = one
  if (signal.aborted) return { ending: STOPPED }
  if ('ending' in ready) return { ending: ready.ending }
  if ('problem' in ready) throw ready.problem
  const { assignment, record } = ready
  const isContinued = start.run.waitingFor !== null
  if (!isContinued) {
    const refused = await handedOver(assignment, one)
    if (refused) return { ending: refused }
  }
  if (signal.aborted) return { ending: STOPPED }
  const refused = refusedBefore(start)
  const conversation = {
    assignment,
    record,
    refused,
    usage: NOTHING,
    continued: continuedOf(start),
  }
  return answered(conversation, one)
}

/** Hands the task to its agent; returns the ending if the handoff is refused. */
async function handedOver(
  assignment: Assignment,
  { attempt, inputs, shop, handed }: Work,
): Promise<Ending | undefined> {
  const { agent, task, rules } = assignment
  shop.onStep?.('hand over')
  const over = { attempt, task, from: shop.orchestrator, to: agent, inputs, rules }
  const passed = await handOver(over, () => shop.decisionContext())
  handed.handoff = passed.handoff
  if (passed.accepted) return undefined
  return { is: 'failed', reason: passed.reason, mayRetry: false, usage: NOTHING }
}

/** The state of the exchange with an agent. */
interface Conversation {
  readonly assignment: Assignment
  readonly record: MissionRecord
  /** Why the first answer was refused. */
  readonly refused: Reason | null
  readonly usage: Usage
  readonly continued?: RunContext['continued']
  /** An answer to check again. */
  readonly came?: ReceivedAnswer
}

/** An answer, and when it arrived in milliseconds since the epoch. */
interface ReceivedAnswer {
  readonly outcome: Answer
  readonly at: number
}

/** Runs the agent, and again to repair its answer. */
async function answered(conversation: Conversation, one: Work): Promise<AttemptOutcome> {
  const { shop, signal } = one
  const tools = await shop.toolsFor(conversation.assignment, conversation.record, signal)
  try {
    let now: Conversation | AttemptOutcome = conversation
    while (!('ending' in now)) {
      const before: Conversation = now
      now = await work(one, () => round(before, one, tools), before.usage)
    }
    return now
  } finally {
    await tools?.close()
  }
}

async function round(
  conversation: Conversation,
  one: Work,
  tools: Tools | undefined,
): Promise<Conversation | AttemptOutcome> {
  const { start, signal } = one
  const { came: before } = conversation
  const outcome = before?.outcome ?? (await run(conversation, one, tools))
  const at = before?.at ?? Date.now()
  const usage = before ? conversation.usage : sum(conversation.usage, outcome)
  if (signal.aborted) return { ending: { ...STOPPED, usage } }
  if (!isAnswer(outcome)) return { ending: endingOf(outcome, usage, start, conversation.refused) }
  // Keep the answer during a database outage: asking again may be expensive.
  const judge = () => judged({ outcome, at }, { ...conversation, usage }, one)
  return work(one, () => patiently(judge), usage)
}

async function judged(
  came: ReceivedAnswer,
  conversation: Conversation,
  one: Work,
): Promise<Conversation | AttemptOutcome> {
  const { start, shop } = one
  const { assignment, usage } = conversation
  shop.onStep?.('examine')
  const { examined, record } = await examineUpToDate(came, conversation, one)
  const { answer, artifacts, plans, faults, isFinal } = examined
  if (faults.length === 0)
    return {
      ending: { is: 'done', artifacts, plans, revision: record.revision, usage },
      again: () => answered({ ...conversation, record, came }, one),
    }
  const last = whyLast(start, conversation.refused, isFinal)
  if (last) return { ending: refusedAnswer(faults, usage, last) }
  const refused = refusalOf(faults, 'the answer was refused')
  return {
    assignment: { ...assignment, repair: { answer, diagnostics: faults } },
    record,
    refused,
    usage,
  }
}

function run(
  { assignment, continued, usage }: Conversation,
  { start, since, shop, signal }: Work,
  tools: Tools | undefined,
): Promise<Outcome> {
  const { root, environment } = shop
  const budget = leftOf(assignment.budget, usage, performance.now() - since)
  shop.onStep?.('run')
  return shop.run(
    start.run.agent,
    { ...assignment, budget },
    {
      root,
      environment,
      signal,
      ...(tools && { tools }),
      ...(continued && { continued }),
      ...(assignment.repair && { before: keptOf(start) }),
    },
  )
}

/**
 * Checks an answer. Faults count only against the current mission, since artifacts added meanwhile may resolve them.
 */
async function examineUpToDate(
  { outcome, at: cameAt }: ReceivedAnswer,
  { assignment, record, came: before }: Conversation,
  one: Work,
) {
  const { start, shop } = one
  const isAgain = before !== undefined
  for (let known = isAgain ? await upToDate(record, one) : record; ; ) {
    const about = { assignment, record: known, template: start.template, cameAt, isAgain }
    const examined = await examine(outcome, about, shop)
    const now = examined.faults.length === 0 ? known : await upToDate(known, one)
    if (now === known) return { examined, record: known }
    known = now
  }
}

async function upToDate(
  record: MissionRecord,
  { attempt, shop, records }: Work,
): Promise<MissionRecord> {
  return shop.store.tenant(attempt.tenant, async tx => {
    const { revision } = (await readRun(tx, attempt.mission)) ?? record
    return revision === record.revision ? record : records.of(tx, attempt, { ...record, revision })
  })
}

async function examine(
  outcome: Answer,
  about: Examined,
  shop: WorkerContext,
): Promise<Examination & { readonly answer: unknown }> {
  if (outcome.is === 'returned') {
    const { answer } = outcome
    return { answer, ...(await shop.examine(answer, about)) }
  }
  const { written, code, message } = outcome
  return { answer: written, artifacts: [], plans: [], faults: [{ code, path: '', message }] }
}

function keptOf({ token, waited }: StartOfTask): Kept {
  return { token, waited }
}

function continuedOf(start: StartOfTask): RunContext['continued'] {
  const { run, answer } = start
  if (run.waitingFor === null) return undefined
  return { ...keptOf(start), ...(answer !== null && { answer }) }
}
