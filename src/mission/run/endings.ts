import {
  haveWorked,
  insertArtifact,
  insertOutputs,
  insertTasks,
  Last,
  letGraphsNameEachOther,
  queueDependents,
  queueUnblocked,
  type Reason,
  type Run,
  type RunChange,
  readRun,
  requeueTasks,
  settleTasks,
  type TaskPlan,
  type TaskRun,
  type Tx,
  updateRun,
} from '../../store/index.ts'
import type { Payload, Usage } from '../runner.ts'
import type { Attempt } from './durable.ts'

/** How an attempt ends. */
export type Ending =
  | {
      readonly is: 'done'
      readonly artifacts: readonly Payload[]
      /** The agents of tasks in returned graphs. */
      readonly plans: readonly TaskPlan[]
      /** The mission revision that the artifacts were checked against. */
      readonly revision: number
      readonly usage: Usage
    }
  | {
      readonly is: 'waiting'
      readonly for: string
      readonly token: unknown
      /** Milliseconds until the next check if no answer arrives; null for none. */
      readonly again: number | null
      /** Why an earlier answer was refused. */
      readonly reason: Reason | null
      readonly usage: Usage
    }
  | {
      readonly is: 'failed'
      readonly reason: Reason
      readonly mayRetry: boolean
      readonly usage: Usage
    }
  /** The task continues after a delay in milliseconds, without counting a failure. */
  | { readonly is: 'released'; readonly after: number; readonly usage: Usage }

/** The usage of an agent that did not run. */
export const NOTHING: Usage = { inputTokens: 0, outputTokens: 0 }

/** The attempt is obsolete: a newer one replaced it, or the mission was cancelled. */
export class Overtaken extends Error {}

/** The mission changed after the artifacts were checked: nothing is stored. */
export class Changed extends Error {}

/** The task whose attempt ends. */
export interface Leaving {
  readonly attempt: Attempt
  readonly task: TaskRun
  readonly worker: string
  readonly handoff: string | null
}

/**
 * Ends an attempt in one transaction: artifacts, task and mission state, and newly queued tasks are stored together or
 * not at all. The same transaction checks that the attempt is current.
 */
export async function endAttempt(tx: Tx, one: Leaving, ending: Ending): Promise<Last | undefined> {
  const { mission } = one.attempt
  const reading = readRun(tx, mission, { forUpdate: true })
  if (ending.is === 'done') return done(tx, one, reading, ending)
  await notDone(tx, one, await reading, ending)
  return undefined
}

async function notDone(
  tx: Tx,
  one: Leaving,
  run: Run | undefined,
  ending: Exclude<Ending, { is: 'done' }>,
): Promise<void> {
  if (!run) throw new Overtaken()
  if (ending.is === 'waiting') return waiting(tx, one, run, ending)
  if (ending.is === 'failed') return failed(tx, one, run, ending)
  const { after: delay, usage } = ending
  const change = used(one.task, usage)
  const which = { ...whichOf(one.attempt), from: ['running'] as const, change, delay }
  const queued = await requeueTasks(tx, which)
  if (queued.length === 0) throw new Overtaken()
  if (tokensOf(usage) > 0) await updateRun(tx, one.attempt.mission, after(run, { usage }))
}

async function done(
  tx: Tx,
  { attempt, task, worker, handoff }: Leaving,
  reading: Promise<Run | undefined>,
  { artifacts, plans, revision, usage }: Extract<Ending, { is: 'done' }>,
): Promise<Last> {
  const { mission } = attempt
  // Pipelined, and rolled back if the attempt is obsolete. The mission row is locked first.
  const letting = plans.length > 0 ? letGraphsNameEachOther(tx) : undefined
  const settling = settleTasks(tx, {
    ...whichOf(attempt),
    from: ['running'],
    to: 'done',
    worker,
    change: {
      ...used(task, usage),
      handoff,
      reason: null,
      waitingFor: null,
      token: null,
      answer: null,
    },
  })
  const rest = Promise.all([
    Promise.all(artifacts.map(payload => insertArtifact(tx, payload))),
    queueDependents(tx, mission, attempt.task),
  ])
  const [held] = await Promise.allSettled([Promise.all([reading, settling, letting]), rest])
  if (held.status === 'rejected') throw held.reason
  const [run, settled] = held.value
  if (!run || settled.length === 0) throw new Overtaken()
  if (run.revision !== revision) throw new Changed()
  const [outputs, queued] = await rest
  await mustNotHaveWorked(tx, mission, artifacts)
  if (plans.length > 0) await insertTasks(tx, mission, plans)
  const more = plans.length > 0 ? await queueUnblocked(tx, mission) : []
  // Policy decisions are not outputs of the task.
  const own = outputs.filter(({ name }) => name !== 'policy_decision')
  const step = { open: plans.length - 1, active: queued.length + more.length - 1, usage }
  const noting = insertOutputs(tx, mission, attempt.task, own)
  return new Last(Promise.all([noting, updateRun(tx, mission, after(run, step))]))
}

/**
 * Worker results do not raise the revision, since they are too frequent: check whether a proposer returned one
 * meanwhile.
 */
async function mustNotHaveWorked(
  tx: Tx,
  mission: string,
  artifacts: readonly Payload[],
): Promise<void> {
  const proposers = artifacts.filter(isProposal).map(({ producer }) => String(producer))
  if (proposers.length > 0 && (await haveWorked(tx, mission, proposers))) throw new Changed()
}

/** Reports whether an artifact is a write-back proposal. */
export function isProposal({ schema_name }: Payload): boolean {
  return schema_name === 'writeback_proposal'
}

async function waiting(
  tx: Tx,
  { attempt, task, worker, handoff }: Leaving,
  run: Run,
  { for: waitingFor, token, again, reason, usage }: Extract<Ending, { is: 'waiting' }>,
): Promise<void> {
  const change = {
    ...used(task, usage),
    handoff,
    waitingFor,
    token,
    answer: null,
    answeredBy: null,
    reason,
  }
  const which = { ...whichOf(attempt), from: ['running'] as const, change }
  // A waiting task occupies neither a queue slot nor a worker.
  const waits =
    again === null
      ? await settleTasks(tx, { ...which, to: 'waiting', worker })
      : await requeueTasks(tx, { ...which, to: 'waiting', delay: again })
  if (waits.length === 0) throw new Overtaken()
  if (tokensOf(usage) > 0) await updateRun(tx, attempt.mission, after(run, { usage }))
}

async function failed(
  tx: Tx,
  { attempt, task, worker, handoff }: Leaving,
  run: Run,
  { reason, mayRetry, usage }: Extract<Ending, { is: 'failed' }>,
): Promise<void> {
  const failures = task.failures + 1
  // Drop a person's answer with its attempt: outside of an artifact it could not be erased.
  const over = { waitingFor: null, token: null, answer: null, answeredBy: null }
  const change = { ...used(task, usage), handoff, failures, reason, ...over }
  const which = { ...whichOf(attempt), from: ['running'] as const, change }
  if (mayRetry && failures <= task.retries.limit) {
    const queued = await requeueTasks(tx, { ...which, delay: pauseBefore(failures, task) })
    if (queued.length === 0) throw new Overtaken()
    if (tokensOf(usage) > 0) await updateRun(tx, attempt.mission, after(run, { usage }))
    return
  }
  const settled = await settleTasks(tx, { ...which, to: 'failed', worker })
  if (settled.length === 0) throw new Overtaken()
  await updateRun(
    tx,
    attempt.mission,
    after(run, { active: -1, usage, reason, task: attempt.task }),
  )
}

/** The delay before a retry, in milliseconds: doubles each time, up to a limit. */
function pauseBefore(failures: number, { retries }: TaskRun): number {
  return Math.min(retries.longest, retries.first * 2 ** Math.min(failures - 1, 20))
}

interface Step {
  readonly open?: number
  readonly active?: number
  readonly usage?: Usage
  /** Why a task failed permanently. */
  readonly reason?: Reason
  readonly task?: string
}

/**
 * The state of a mission after a step: finished when no task is open, failed when tasks are open but none is active. A
 * paused mission stays paused.
 */
export function after(run: Run, { open = 0, active = 0, usage, reason, task }: Step): RunChange {
  const openTasks = run.openTasks + open
  const activeTasks = run.activeTasks + active
  const over = openTasks === 0 ? 'finished' : activeTasks === 0 ? 'failed' : undefined
  return {
    openTasks,
    activeTasks,
    ...(usage && tokensOf(usage) > 0 && { tokensUsed: run.tokensUsed + tokensOf(usage) }),
    // Keep the first failure: the others follow from it.
    ...(reason &&
      !run.reason && { reason: { code: reason.code, message: `${task}: ${reason.message}` } }),
    ...(over && { state: over, endedAt: 'now', pausedAt: null }),
  }
}

function whichOf({ mission, task, attempt }: Attempt) {
  return { mission, task, attempt }
}

function used(task: TaskRun, usage: Usage) {
  return { tokensUsed: task.tokensUsed + tokensOf(usage) }
}

function tokensOf({ inputTokens, outputTokens }: Usage): number {
  return inputTokens + outputTokens
}
