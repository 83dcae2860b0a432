import { missionCommand, quote } from '../../contract/index.ts'
import { WaybillError } from '../../error.ts'
import {
  type AnsweredBy,
  dequeueTasks,
  notifyWorkers,
  type Reason,
  type Run,
  readPipelineMissionOnSameFile,
  readRun,
  readTask,
  requeueTasks,
  type Store,
  settleTasks,
  type TaskRun,
  type Tx,
  updateRun,
} from '../../store/index.ts'

/** Identifies a mission of a tenant. */
export interface Which {
  readonly tenant: string
  readonly mission: string
}

/** Cancels a mission: nothing more starts, running tasks are stopped and late answers discarded. */
export function cancelMission(store: Store, which: Which, why: string): Promise<Run> {
  return changed(
    store,
    which,
    'cancel',
    ['running', 'paused', 'failed'],
    async (tx, { mission }) => {
      await settleTasks(tx, {
        mission,
        from: ['blocked', 'queued', 'running', 'waiting'],
        to: 'cancelled',
        change: { answer: null },
      })
      await dequeueTasks(tx, mission, 'cancelled')
      const reason: Reason = { code: 'mission/cancelled', message: why }
      await updateRun(tx, mission, {
        state: 'cancelled',
        reason,
        activeTasks: 0,
        endedAt: 'now',
        pausedAt: null,
      })
    },
  )
}

/** Pauses a mission: running tasks finish, nothing new starts, and its deadline stops. */
export function pauseMission(store: Store, which: Which): Promise<Run> {
  return changed(store, which, 'pause', ['running'], async (tx, { mission }) => {
    await dequeueTasks(tx, mission, 'queued')
    await updateRun(tx, mission, { state: 'paused', pausedAt: 'now' })
  })
}

/** Resumes a paused mission. */
export function resumeMission(store: Store, which: Which): Promise<Run> {
  return changed(store, which, 'resume', ['paused'], async (tx, { mission }) => {
    await refuseBeside(tx, { ...which, mission })
    await updateRun(tx, mission, {
      state: 'running',
      pausedAt: null,
      deadline: 'extended',
    })
    await requeueTasks(tx, { mission, from: ['queued'] })
    // Check waiting tasks whose next check was due meanwhile.
    await requeueTasks(tx, { mission, from: ['waiting'], to: 'waiting' })
  })
}

/** Retries failed tasks of a mission, or one of them, with fresh attempts and a fresh deadline. */
export function retryMission(store: Store, which: Which, task?: string): Promise<Run> {
  return changed(store, which, 'retry', ['running', 'failed'], async (tx, run) => {
    const { mission, activeTasks } = run
    await refuseBeside(tx, { ...which, mission })
    const queued = await requeueTasksAfterRestart(tx, run, task)
    if (queued === 0) throw await nothingFailed(tx, { ...which, mission }, task)
    await updateRun(tx, mission, {
      state: 'running',
      // If the retry fails early, the old reason still applies.
      reason: 'left',
      activeTasks: activeTasks + queued,
      endedAt: null,
      deadline: 'restarted',
    })
  })
}

/** Sets the mission running before queuing: workers refuse attempts of a mission that is not. */
async function requeueTasksAfterRestart(tx: Tx, { mission }: Run, task?: string): Promise<number> {
  await updateRun(tx, mission, { state: 'running' })
  const queued = await requeueTasks(tx, {
    mission,
    ...(task !== undefined && { task }),
    from: ['failed'],
    change: {
      failures: 0,
      losses: 0,
      reason: null,
      waitingFor: null,
      token: null,
      answer: null,
      answeredBy: null,
    },
  })
  return queued.length
}

/** An answer to a waiting task, and how to record who gave it. */
export interface Answering {
  readonly task: string
  /** The attempt that waits for the answer. */
  readonly attempt: number
  readonly answer: unknown
  /** Called if the task is still waiting. */
  record(): Promise<AnsweredBy>
}

const ANSWERED: readonly Run['state'][] = ['running', 'paused']

/** Answers a waiting task and continues it. */
export function answerTask(
  store: Store,
  which: Which,
  { task, attempt, answer, record }: Answering,
): Promise<Run> {
  return changed(store, which, 'answer', ANSWERED, async (tx, { mission }) => {
    const found = await mustWait(tx, { ...which, mission }, task)
    if (found.attempt !== attempt)
      throw new WaybillError('conflict', `the task ${task} was restarted meanwhile`, {
        hint: `it was answered, or its mission was paused: ${missionCommand('status', which)} shows its state`,
      })
    const change = { answer, answeredBy: await record() }
    await requeueTasks(tx, { mission, task, attempt, from: ['waiting'], change })
  })
}

/**
 * Returns a task that waits for a person.
 * @throws {WaybillError} 'conflict' when it does not wait; 'not-found' when it does not exist.
 */
export function waitingTask(store: Store, which: Which, task: string): Promise<TaskRun> {
  return store.tenant(which.tenant, async tx => {
    const { mission } = mustBe(ANSWERED, await readRun(tx, which.mission), which, 'answer')
    return mustWait(tx, { ...which, mission }, task)
  })
}

async function mustWait(tx: Tx, which: Which, task: string): Promise<TaskRun> {
  const found = await readTask(tx, which.mission, task)
  if (found?.waitingFor === 'person' && found.state === 'waiting') return found
  throw noWait(which, task, found)
}

async function changed(
  store: Store,
  which: Which,
  verb: string,
  from: readonly Run['state'][],
  change: (tx: Tx, run: Run) => Promise<void>,
): Promise<Run> {
  const { tenant, mission } = which
  return store.tenant(tenant, async tx => {
    const run = mustBe(from, await readRun(tx, mission, { forUpdate: true }), which, verb)
    await change(tx, run)
    await notifyWorkers(tx, mission)
    return (await readRun(tx, mission)) ?? run
  })
}

function mustBe(
  states: readonly Run['state'][],
  run: Run | undefined,
  which: Which,
  verb: string,
): Run {
  if (!run) throw noMission(which.mission)
  if (states.includes(run.state)) return run
  const isHeld = run.state === 'paused' && verb === 'retry'
  throw new WaybillError('conflict', `cannot ${verb}: the mission is ${run.state}`, {
    hint: isHeld
      ? `resume it first: ${missionCommand('resume', which)}`
      : `${missionCommand('status', which)} shows its state`,
  })
}

/** Refuses a mission whose orchestration file another active or paused mission of the tenant uses. */
export async function refuseBeside(tx: Tx, { tenant, mission }: Which): Promise<void> {
  const other = await readPipelineMissionOnSameFile(tx, mission)
  if (!other) return
  const { file, state } = other
  const is = state === 'paused' ? 'is paused' : 'is running'
  throw new WaybillError(
    'conflict',
    `the mission ${mission} uses ${quote(file)}, like the mission ${other.mission}, which ${is}: only one may set the statuses of a file`,
    {
      hint: `wait until it ends, or cancel it: ${missionCommand('cancel', { tenant, mission: other.mission })}`,
    },
  )
}

/** The error for a mission that the tenant does not have. */
export function noMission(mission: string): WaybillError {
  return new WaybillError('not-found', `there is no mission ${mission}`, {
    hint: 'waybill mission list shows the missions; use --tenant for another tenant',
  })
}

function noWait(which: Which, task: string, found: TaskRun | undefined): WaybillError {
  if (!found) return noTask(which, task)
  const { state, waitingFor } = found
  const hint = `${missionCommand('status', which)} shows its tasks and what they wait for`
  const does = state === 'waiting' ? `waits for an ${waitingFor}` : `is ${state}`
  return new WaybillError('conflict', `the task ${task} does not wait for a person: it ${does}`, {
    hint,
  })
}

function noTask(which: Which, task: string): WaybillError {
  return new WaybillError('not-found', `the mission has no task ${task}`, {
    hint: `${missionCommand('status', which)} lists its tasks`,
  })
}

async function nothingFailed(tx: Tx, which: Which, task?: string): Promise<WaybillError> {
  if (task !== undefined && !(await readTask(tx, which.mission, task))) return noTask(which, task)
  const what =
    task === undefined ? 'no task of the mission has failed' : `the task ${task} has not failed`
  return new WaybillError('conflict', what, {
    hint: `${missionCommand('status', which)} shows its state`,
  })
}
