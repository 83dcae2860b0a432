import type { Outcome, RunnerCode } from '../runner.ts'

/** A failed outcome. */
export type Failure = Extract<Outcome, { readonly is: 'failed' }>

/** Creates a failed outcome; the message must be safe to display. */
export function failed(code: RunnerCode, message: string, mayRetry: boolean): Failure {
  return { is: 'failed', code, message, mayRetry }
}

/** The outcome of work that its signal aborted. */
export function cancelled(): Failure {
  return failed('mission/runner-cancelled', 'the agent was stopped before it answered', true)
}
