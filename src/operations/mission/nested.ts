import { WaybillError } from '../../error.ts'
import type { App, Operation } from '../operation.ts'

/** The parts of an operation that decide who may run it. */
export type ForWhom = Pick<Operation<never, unknown>, 'name' | 'actor' | 'effect' | 'input'>

/** Inputs that turn a writing operation into a preview. */
const SHOWING = ['dryRun', 'check']

/**
 * Refuses human-only operations and inputs to the agent of a task, which must not approve or start its own work.
 * An agent in a person's session has no task and is not recognised.
 */
export function refuseToAgents(
  { name, actor, effect, input: { properties } }: ForWhom,
  input: Readonly<Record<string, unknown>>,
  app: Pick<App, 'variable'>,
): void {
  if (SHOWING.some(word => input[word] === true)) return
  if (actor === 'human' && effect !== 'read') refuseDeciding(`run waybill ${name}`, app)
  for (const [word, property] of Object.entries(properties)) {
    const isStated = property.actor === 'human' && (input[word] ?? false) !== false
    if (isStated && (effect !== 'read' || property.writes))
      refuseDeciding(`run waybill ${name} with ${word}`, app)
  }
}

/** Throws 'not-approved' when the agent of a task tries something that only a person may decide. */
export function refuseDeciding(what: string, app: Pick<App, 'variable'>): void {
  const task = ownTask(app)
  if (task === undefined) return
  throw new WaybillError('not-approved', `the agent of the task ${task} cannot ${what}`, {
    hint: 'only a person may decide on or start work: run it outside of the task',
  })
}

/** Returns the task whose agent started this process, directly or indirectly. */
export function ownTask({ variable }: Pick<App, 'variable'>): string | undefined {
  return variable?.('WAYBILL_TASK') || undefined
}
