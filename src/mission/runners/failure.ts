import type { Outcome, RunnerCode } from '../runner.ts'

/** Why there is no answer. */
export type Failure = Extract<Outcome, { readonly is: 'failed' }>

/** Says why there is no answer; the message is one that may be shown. */
export function failed(code: RunnerCode, message: string, mayRetry: boolean): Failure {
  return { is: 'failed', code, message, mayRetry }
}

/** What comes of work that its signal has ended. */
export function cancelled(): Failure {
  return failed('mission/runner-cancelled', 'it was ended before there was an answer', true)
}
