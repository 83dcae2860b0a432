import { WaybillError } from '../../error.ts'
import type { App } from '../operation.ts'

/** Refuses what lets workers begin to whoever is one: an agent is told its task in its environment. */
export function refuseNested(what: string, { variable }: App): void {
  const task = variable?.('WAYBILL_TASK')
  if (!task) return
  throw new WaybillError('usage', `the agent of the task ${task} cannot ${what}`, {
    hint: 'workers start no workers (session-context/depth-at-most-one): let the orchestrator do it',
  })
}
