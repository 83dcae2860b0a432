import { formatInstant } from '../../document/index.ts'
import type { LastClock } from '../../ledger/index.ts'
import type { Predicates } from '../entries/predicates.ts'

/** The clocks of a machine at one moment. */
export type Clocks = Omit<LastClock, 'time'>

/** The drift between wall clock and uptime that is not recorded, in milliseconds. */
const MOST_APART = 2000

/** Returns the jump if the wall clock was set between two moments: its change differs from elapsed time. */
export function jumpBetween(
  before: Clocks,
  after: Clocks,
  where: Predicates['clock-jump']['where'],
): Predicates['clock-jump'] | undefined {
  const wall = after.wall - before.wall
  const isSameBoot = before.boot === after.boot && before.boot !== ''
  // After a restart the downtime is unknown, so only a step backwards counts.
  const passed = isSameBoot ? after.uptime - before.uptime : Math.max(0, wall)
  const by = Math.round(wall - passed)
  if (Math.abs(by) <= MOST_APART) return undefined
  return { by, between: [formatInstant(before.wall), formatInstant(after.wall)], where }
}
