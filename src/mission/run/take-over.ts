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

/** A task that has cost so many workers their life is not given to another. */
const MOST_LOSSES = 10

const LOST: Reason = {
  code: 'mission/worker-lost',
  message: `the workers that did the task were lost ${MOST_LOSSES} times`,
}

/** Why a task is given up that its workers could not get on with, though nobody can say that it failed. */
export function whyGivenBack(problem: unknown): Reason {
  return { code: 'mission/internal', message: `the task could not be ended: ${toldOf(problem)}` }
}

/**
 * Queues a task again whose worker is gone, or gives it back; nothing where it has ended, or somebody else has done so.
 * Who gives it back says why.
 */
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
      // One that waits stays so until it is looked at again.
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

/** Whoever is at it may not have claimed it yet, or not have heard that he has. */
const UNENDED: ReadonlySet<TaskState> = new Set(['queued', 'waiting', 'running'])

/** Whether an attempt is still the one that its task is run by, or is about to be. */
export function stillCounts(
  store: Store,
  { tenant, mission, task, attempt }: Attempt,
): Promise<boolean> {
  return store.tenant(tenant, async tx => {
    const found = await readTask(tx, mission, task)
    return found?.attempt === attempt && UNENDED.has(found.state)
  })
}
