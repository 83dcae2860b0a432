import { missionCommand, quote } from '../../contract/index.ts'
import { WaybillError } from '../../error.ts'
import {
  type AnsweredBy,
  dequeueTasks,
  notifyWorkers,
  type Reason,
  type Run,
  readPipelineMissionBeside,
  readRun,
  readTask,
  requeueTasks,
  type Store,
  settleTasks,
  type TaskRun,
  type Tx,
  updateRun,
} from '../../store/index.ts'

/** A mission of a tenant. */
export interface Which {
  readonly tenant: string
  readonly mission: string
}

/** Cancels a mission: nothing of it starts any more, what runs is ended, and what it returns is refused. */
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

/** Lets nothing new start: what runs is finished, and its time stands still. */
export function pauseMission(store: Store, which: Which): Promise<Run> {
  return changed(store, which, 'pause', ['running'], async (tx, { mission }) => {
    await dequeueTasks(tx, mission, 'queued')
    await updateRun(tx, mission, { state: 'paused', pausedAt: 'now' })
  })
}

/** Goes on with a paused mission. */
export function resumeMission(store: Store, which: Which): Promise<Run> {
  return changed(store, which, 'resume', ['paused'], async (tx, { mission }) => {
    await refuseBeside(tx, { ...which, mission })
    await updateRun(tx, mission, {
      state: 'running',
      pausedAt: null,
      deadline: 'moved on',
    })
    await requeueTasks(tx, { mission, from: ['queued'] })
    // Whoever was to be looked at meanwhile is looked at now.
    await requeueTasks(tx, { mission, from: ['waiting'], to: 'waiting' })
  })
}

/** Tries the failed tasks of a mission again, or one of them, with as many attempts and as much time as at first. */
export function retryMission(store: Store, which: Which, task?: string): Promise<Run> {
  return changed(store, which, 'retry', ['running', 'failed'], async (tx, run) => {
    const { mission, activeTasks } = run
    await refuseBeside(tx, { ...which, mission })
    const queued = await requeueTasksAfterRestart(tx, run, task)
    if (queued === 0) throw await nothingFailed(tx, { ...which, mission }, task)
    await updateRun(tx, mission, {
      state: 'running',
      // Where that does not come to an end, it is still said why.
      reason: 'left',
      activeTasks: activeTasks + queued,
      endedAt: null,
      deadline: 'anew',
    })
  })
}

/** Workers refuse attempts of a mission that does not run: it does so before they are queued. */
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

/** An answer to a task that waits, and how it is recorded who has given it. */
export interface Answering {
  readonly task: string
  /** The start of the task that the answer is to. */
  readonly attempt: number
  readonly answer: unknown
  /** Called if the task waits for it still. */
  record(): Promise<AnsweredBy>
}

const ANSWERED: readonly Run['state'][] = ['running', 'paused']

/** Gives a task that waits the answer that it waits for, and lets it go on. */
export function answerTask(
  store: Store,
  which: Which,
  { task, attempt, answer, record }: Answering,
): Promise<Run> {
  return changed(store, which, 'answer', ANSWERED, async (tx, { mission }) => {
    const found = await mustWait(tx, { ...which, mission }, task)
    if (found.attempt !== attempt)
      throw new WaybillError('conflict', `the task ${task} has begun anew meanwhile`, {
        hint: `somebody answered it, or paused its mission: ${missionCommand('status', which)} shows what it waits for now`,
      })
    const change = { answer, answeredBy: await record() }
    await requeueTasks(tx, { mission, task, attempt, from: ['waiting'], change })
  })
}

/** A task that waits for a person, who may take a while for the answer. */
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
  throw new WaybillError('conflict', `the mission is ${run.state}: there is nothing to ${verb}`, {
    hint: isHeld
      ? `go on with it first: ${missionCommand('resume', which)}`
      : `${missionCommand('status', which)} shows how far it is`,
  })
}

/** Refuses to let a mission work on an orchestration file on which another one of the tenant works, or goes on later. */
export async function refuseBeside(tx: Tx, { tenant, mission }: Which): Promise<void> {
  const beside = await readPipelineMissionBeside(tx, mission)
  if (!beside) return
  const { file, state } = beside
  const is = state === 'paused' ? 'is paused' : 'works on it'
  throw new WaybillError(
    'conflict',
    `the mission ${mission} was made of ${quote(file)}, and the mission ${beside.mission} ${is}: two may not set the statuses of one file`,
    {
      hint: `wait until that one has ended, or end it: ${missionCommand('cancel', { tenant, mission: beside.mission })}`,
    },
  )
}

/** What is said of a mission that the tenant does not have. */
export function noMission(mission: string): WaybillError {
  return new WaybillError('not-found', `there is no mission ${mission}`, {
    hint: 'waybill mission list shows those that there are, those of another tenant with --tenant',
  })
}

function noWait(which: Which, task: string, found: TaskRun | undefined): WaybillError {
  if (!found) return noTask(which, task)
  const { state, waitingFor } = found
  const hint = `${missionCommand('status', which)} shows its tasks, and what each waits for`
  const does = state === 'waiting' ? `waits for an ${waitingFor}` : `is ${state}`
  return new WaybillError('conflict', `the task ${task} waits for no person: it ${does}`, { hint })
}

function noTask(which: Which, task: string): WaybillError {
  return new WaybillError('not-found', `the mission has no task ${task}`, {
    hint: `${missionCommand('status', which)} shows those that it has`,
  })
}

async function nothingFailed(tx: Tx, which: Which, task?: string): Promise<WaybillError> {
  if (task !== undefined && !(await readTask(tx, which.mission, task))) return noTask(which, task)
  const what =
    task === undefined ? 'no task of the mission has failed' : `the task ${task} has not failed`
  return new WaybillError('conflict', what, {
    hint: `${missionCommand('status', which)} shows how far it is`,
  })
}
