import { spelled } from '../../contract/index.ts'
import type { Reason, StartOfTask } from '../../store/index.ts'
import type { Outcome, Usage } from '../runner.ts'
import type { Ending } from './endings.ts'
import type { Fault } from './worker-context.ts'

type Written = Extract<Outcome, { is: 'failed' }> & { readonly written: string }
/** What can be examined: an answer, or what was written in its place. */
export type Answer = Extract<Outcome, { is: 'returned' }> | Written

/** Whether there is an answer to look at, sound or not. */
export function isAnswer(outcome: Outcome): outcome is Answer {
  return outcome.is === 'returned' || (outcome.is === 'failed' && outcome.written !== undefined)
}

/** Why nobody is asked again; a person costs nothing while he is waited for, and is asked as often as it takes. */
export function whyLast({ run }: StartOfTask, refused: Reason | null, isFinal = false) {
  if (refused && run.waitingFor !== 'person') return 'what the agent returned was refused twice'
  return isFinal ? 'what the agent returned is not taken' : undefined
}

/** Why the first answer was refused, where the second one is what the task waits for. */
export function refusedBefore({ run: { waitingFor, reason } }: StartOfTask): Reason | null {
  return waitingFor !== null && reason?.code === REFUSED ? reason : null
}

const REFUSED = 'mission/answer-refused'

/** What an attempt comes to whose agent gave no answer. */
export function endingOf(
  outcome: Exclude<Outcome, Answer>,
  usage: Usage,
  { msLeft }: StartOfTask,
  reason: Reason | null,
): Ending {
  if (outcome.is === 'failed') {
    const { code, message, mayRetry } = outcome
    // What the agent could not repair is told with why.
    const before = reason && {
      message: `${message}; ${reason.message}`,
      ...(reason.diagnostics && { diagnostics: reason.diagnostics }),
    }
    return { is: 'failed', reason: { code, message, ...before }, mayRetry, usage }
  }
  // Whoever waits longer than the mission has time is woken to be told so.
  const soonest = Math.min(
    outcome.again ?? Number.POSITIVE_INFINITY,
    msLeft ?? Number.POSITIVE_INFINITY,
  )
  const again = Number.isFinite(soonest) ? Math.max(soonest, 1) : null
  // Whoever is waited for again is told what was wrong with the answer, and that it was the first.
  return { is: 'waiting', for: outcome.for, token: outcome.token ?? null, again, reason, usage }
}

/** What an attempt comes to whose answer is not taken. */
export function refusedAnswer(faults: readonly Fault[], usage: Usage, what: string): Ending {
  const reason = refusalOf(faults, what)
  return { is: 'failed', reason, mayRetry: false, usage }
}

/** Why an answer is refused. */
export function refusalOf(faults: readonly Fault[], what: string): Reason {
  const [first] = faults
  const more = faults.length > 1 ? ` (and ${faults.length - 1} more)` : ''
  const message = `${what}: ${first?.message}${more}`
  // A key of an answer may hold what the database does not.
  const told = faults.slice(0, 20).map(fault => ({ ...fault, path: spelled(fault.path) }))
  return { code: REFUSED, message, diagnostics: told }
}

/** What was used before and by what has come out now. */
export function sum(before: Usage, outcome: Outcome): Usage {
  const more = outcome.is === 'waiting' ? undefined : outcome.usage
  if (!more) return before
  return {
    inputTokens: before.inputTokens + more.inputTokens,
    outputTokens: before.outputTokens + more.outputTokens,
  }
}
