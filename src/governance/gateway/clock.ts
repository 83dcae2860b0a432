import { formatInstant } from '../../document/index.ts'
import type { LastClock } from '../../ledger/index.ts'
import type { Predicates } from '../entries/predicates.ts'

/** What the clocks of a machine say at one moment. */
export type Clocks = Omit<LastClock, 'time'>

/** A clock and time itself may part this far before somebody is told, in milliseconds. */
const MOST_APART = 2000

/** Tells whether the wall clock was set between two moments: it went another way than time did. */
export function jumpBetween(
  before: Clocks,
  after: Clocks,
  where: Predicates['clock-jump']['where'],
): Predicates['clock-jump'] | undefined {
  const wall = after.wall - before.wall
  const isSameBoot = before.boot === after.boot && before.boot !== ''
  // After a restart nobody knows how long the machine was off: only that no time went backwards.
  const passed = isSameBoot ? after.uptime - before.uptime : Math.max(0, wall)
  const by = Math.round(wall - passed)
  if (Math.abs(by) <= MOST_APART) return undefined
  return { by, between: [formatInstant(before.wall), formatInstant(after.wall)], where }
}
