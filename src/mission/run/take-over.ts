import {
  type Reason,
  readRun,
  readTask,
  requeueTasks,
  type Store,
  settleTasks,
  type TaskState,
  updateRun,
} from '../../store/index.ts'
import type { Attempt } from './durable.ts'
import { after } from './endings.ts'
import { toldOf } from './problem.ts'

/** A task that cost this many workers is not given to another. */
const MOST_LOSSES = 10

const LOST: Reason = {
  code: 'mission/worker-lost',
  message: `the task lost its worker ${MOST_LOSSES} times`,
}

/** The reason for giving up a task whose ending could not be stored. */
export function whyGivenBack(problem: unknown): Reason {
  return {
    code: 'mission/internal',
    message: `the end of the task could not be stored: ${toldOf(problem)}`,
  }
}

/** Requeues a task whose worker is dead or gave it up; does nothing if the attempt ended or was already taken over. */
export async function takeOver(store: Store, attempt: Attempt, why?: Reason): Promise<void> {
  const { tenant, mission, task } = attempt
  await store.tenant(tenant, async tx => {
    const run = await readRun(tx, mission, { forUpdate: true })
    const found = run && (await readTask(tx, mission, task))
    if (!found || found.attempt !== attempt.attempt) return
    const losses = found.losses + (found.state === 'running' || why ? 1 : 0)
    const which = { mission, task, attempt: attempt.attempt, change: { losses } }
    if (losses < MOST_LOSSES) {
      await requeueTasks(tx, { ...which, from: ['queued', 'running'] })
      // A waiting task keeps waiting for its next check.
      await requeueTasks(tx, { ...which, from: ['waiting'], to: 'waiting' })
      return
    }
    const reason = why ?? LOST
    const from = ['queued', 'running', 'waiting'] as const
    const settled = await settleTasks(tx, {
      ...which,
      change: { losses, reason, answer: null },
      from,
      to: 'failed',
    })
    if (settled.length > 0) await updateRun(tx, mission, after(run, { active: -1, reason, task }))
  })
}

/** States of an attempt that its worker may not know to have claimed. */
const UNENDED: ReadonlySet<TaskState> = new Set(['queued', 'waiting', 'running'])

/** Reports whether an attempt is current or about to start. */
export function stillCounts(
  store: Store,
  { tenant, mission, task, attempt }: Attempt,
): Promise<boolean> {
  return store.tenant(tenant, async tx => {
    const found = await readTask(tx, mission, task)
    return found?.attempt === attempt && UNENDED.has(found.state)
  })
}
