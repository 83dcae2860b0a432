import type { Budget } from '../runner.ts'
import { cancelled, type Failure, failed } from './failure.ts'

/** The latest that a timer can be set to. */
const MOST_MS = 2 ** 31 - 1

/** Until when a runner may work. */
export interface Deadline {
  /** Ends the work: by whoever started it, or when the time is over. */
  readonly signal: AbortSignal
  /** Milliseconds that are left; infinite without a limit. */
  left(): number
  /** Why the work is over, where it is. */
  ended(): Failure | undefined
}

/** Joins the limit of an agent, of which some milliseconds may be used already, what is left of the mission's time, and the signal of whoever started the work. */
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
      // What has used up the time of the mission has none left for another attempt.
      return own <= mission
        ? failed('mission/runner-timeout', `the agent took longer than ${seconds} s`, true)
        : failed('mission/runner-timeout', 'the time budget of the mission is used up', false)
    },
  }
}
