import { WaybillError } from '../../error.ts'
import type { App, Operation } from '../operation.ts'

/** What of an operation says for whom it is, and for whom each of its inputs. */
export type ForWhom = Pick<Operation<never, unknown>, 'name' | 'actor' | 'effect' | 'input'>

/** Inputs with which an operation that writes only shows what it would do. */
const SHOWING = ['dryRun', 'check']

/**
 * Refuses to an agent what is for people alone, as far as it does anything: it decides on work, its own too, or starts
 * workers. An agent that works for somebody's session has no task, and is not known by this.
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

/** Refuses to an agent what a person decides: whether its own work counts, goes on, or is ended. */
export function refuseDeciding(what: string, app: Pick<App, 'variable'>): void {
  const task = ownTask(app)
  if (task === undefined) return
  throw new WaybillError('not-approved', `the agent of the task ${task} cannot ${what}`, {
    hint: 'an agent does not do what people decide and start, for its own work least of all: let a person do it, outside of the task',
  })
}

/** The task whose agent has started this process, directly or not. */
export function ownTask({ variable }: Pick<App, 'variable'>): string | undefined {
  return variable?.('WAYBILL_TASK') || undefined
}
