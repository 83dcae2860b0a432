import type { Budget } from '../runner.ts'
import { cancelled, type Failure, failed } from './failure.ts'

/** The longest delay of a timer. */
const MOST_MS = 2 ** 31 - 1

/** The time limit of a runner. */
export interface Deadline {
  /** Aborts the work: when it is stopped or the time is over. */
  readonly signal: AbortSignal
  /** Milliseconds left; infinite without a limit. */
  left(): number
  /** Why the work is over; undefined while it is not. */
  ended(): Failure | undefined
}

/** Combines the agent's limit, less `used` milliseconds, with the mission's remaining time and the caller's signal. */
export function startDeadline(
  seconds: number | undefined,
  budget: Budget,
  outer: AbortSignal,
  used = 0,
): Deadline {
  const own = seconds === undefined ? Number.POSITIVE_INFINITY : seconds * 1000 - used
  const mission = budget.ms === null ? Number.POSITIVE_INFINITY : Math.max(0, budget.ms)
  const ms = Math.max(0, Math.min(own, mission))
  const began = performance.now()
  const left = () => Math.max(0, began + ms - performance.now())
  const time =
    ms === Number.POSITIVE_INFINITY
      ? undefined
      : AbortSignal.timeout(Math.min(MOST_MS, Math.ceil(ms)))
  const signal = time ? AbortSignal.any([outer, time]) : outer
  return {
    signal,
    left,
    ended: () => {
      if (outer.aborted) return cancelled()
      if (!time?.aborted && left() > 0) return undefined
      // Without mission time left, a retry cannot succeed.
      return own <= mission
        ? failed('mission/runner-timeout', `the agent took longer than ${seconds} s`, true)
        : failed('mission/runner-timeout', 'the time budget of the mission is used up', false)
    },
  }
}
