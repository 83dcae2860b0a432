import { spelled } from '../../contract/index.ts'
import type { Reason, StartOfTask } from '../../store/index.ts'
import type { Outcome, Usage } from '../runner.ts'
import type { Ending } from './endings.ts'
import type { Fault } from './worker-context.ts'

type Written = Extract<Outcome, { is: 'failed' }> & { readonly written: string }
/** Output that can be checked: an answer, or the text of an invalid one. */
export type Answer = Extract<Outcome, { is: 'returned' }> | Written

/** Reports whether there is an answer to check, valid or not. */
export function isAnswer(outcome: Outcome): outcome is Answer {
  return outcome.is === 'returned' || (outcome.is === 'failed' && outcome.written !== undefined)
}

/** Why the agent is not asked again; a person may correct an answer any number of times. */
export function whyLast({ run }: StartOfTask, refused: Reason | null, isFinal = false) {
  if (refused && run.waitingFor !== 'person') return 'the answer of the agent was refused twice'
  return isFinal ? 'the answer of the agent was refused' : undefined
}

/** Why the first answer was refused, if the task now waits for the second. */
export function refusedBefore({ run: { waitingFor, reason } }: StartOfTask): Reason | null {
  return waitingFor !== null && reason?.code === REFUSED ? reason : null
}

const REFUSED = 'mission/answer-refused'

/** The ending of an attempt without an answer. */
export function endingOf(
  outcome: Exclude<Outcome, Answer>,
  usage: Usage,
  { msLeft }: StartOfTask,
  reason: Reason | null,
): Ending {
  if (outcome.is === 'failed') {
    const { code, message, mayRetry } = outcome
    // Report the unrepaired faults too.
    const before = reason && {
      message: `${message}; ${reason.message}`,
      ...(reason.diagnostics && { diagnostics: reason.diagnostics }),
    }
    return { is: 'failed', reason: { code, message, ...before }, mayRetry, usage }
  }
  // Wake a waiting task at the deadline of its mission.
  const soonest = Math.min(
    outcome.again ?? Number.POSITIVE_INFINITY,
    msLeft ?? Number.POSITIVE_INFINITY,
  )
  const again = Number.isFinite(soonest) ? Math.max(soonest, 1) : null
  // Keep the faults: the next answer is a second one.
  return { is: 'waiting', for: outcome.for, token: outcome.token ?? null, again, reason, usage }
}

/** The ending of an attempt whose answer is refused. */
export function refusedAnswer(faults: readonly Fault[], usage: Usage, what: string): Ending {
  const reason = refusalOf(faults, what)
  return { is: 'failed', reason, mayRetry: false, usage }
}

/** The reason for refusing an answer. */
export function refusalOf(faults: readonly Fault[], what: string): Reason {
  const [first] = faults
  const more = faults.length > 1 ? ` (and ${faults.length - 1} more)` : ''
  const message = `${what}: ${first?.message}${more}`
  // Keys of an answer may contain U+0000, which the database cannot store.
  const diagnostics = faults.slice(0, 20).map(fault => ({ ...fault, path: spelled(fault.path) }))
  return { code: REFUSED, message, diagnostics: diagnostics }
}

/** Adds the usage of an outcome. */
export function sum(before: Usage, outcome: Outcome): Usage {
  const more = outcome.is === 'waiting' ? undefined : outcome.usage
  if (!more) return before
  return {
    inputTokens: before.inputTokens + more.inputTokens,
    outputTokens: before.outputTokens + more.outputTokens,
  }
}
