import type { Reason, StartOfTask } from '../../store/index.ts'
import type { Budget, Payload, Usage } from '../runner.ts'

/** Why a task cannot start any more, if its mission's budget is used up. */
export function spent({ msLeft, tokensLeft }: StartOfTask): Reason | undefined {
  if (msLeft !== null && msLeft <= 0)
    return {
      code: 'mission/time-budget',
      message: 'the time budget of the mission was used up before the task could start',
    }
  if (tokensLeft !== null && tokensLeft <= 0)
    return {
      code: 'mission/token-budget',
      message: 'the token budget of the mission was used up before the task could start',
    }
  return undefined
}

/** What is left of a budget some milliseconds after it was read, when an answer that is to be repaired has had its part. */
export function leftOf({ ms, tokens }: Budget, usage: Usage, later: number): Budget {
  return {
    ms: ms === null ? null : Math.max(0, Math.floor(ms - later)),
    tokens: tokens === null ? null : Math.max(0, tokens - usage.inputTokens - usage.outputTokens),
  }
}

/** Why a librarian's pass cannot be used any more. */
export function passFault(pass: Payload | null): Reason | undefined {
  if (pass?.erased === true)
    return { code: 'mission/erased', message: 'the pass of the task was erased' }
  if (!pass || Date.parse(String(pass.expires_at)) > Date.now()) return undefined
  return {
    code: 'mission/pass-expired',
    message: `the pass ${pass.pass_id} has expired at ${pass.expires_at}, and its librarian gives no other: begin a new mission`,
  }
}
