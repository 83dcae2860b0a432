import { WaybillError } from '../../error.ts'
import type { App } from '../operation.ts'

/** Refuses what lets workers begin to whoever is one: an agent is told its task in its environment. */
export function refuseNested(what: string, app: App): void {
  const task = ownTask(app)
  if (task === undefined) return
  throw new WaybillError('usage', `the agent of the task ${task} cannot ${what}`, {
    hint: 'workers start no workers (session-context/depth-at-most-one): let the orchestrator do it',
  })
}

/** Refuses to an agent what a person decides: whether its own work counts, goes on, or is ended. */
export function refuseDeciding(what: string, app: App): void {
  const task = ownTask(app)
  if (task === undefined) return
  throw new WaybillError('not-approved', `the agent of the task ${task} cannot ${what}`, {
    hint: 'an agent does not decide on missions, its own least of all: let a person do it, outside of the task',
  })
}

/** The task whose agent has started this process, directly or not. */
export function ownTask({ variable }: App): string | undefined {
  return variable?.('WAYBILL_TASK') || undefined
}
