import type { Reason, StartOfTask } from '../../store/index.ts'
import type { Budget, Payload, Usage } from '../runner.ts'

/** Why a task cannot start: the budget of its mission is used up. */
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

/** The budget left some milliseconds after it was read, less the usage of an answer under repair. */
export function leftOf({ ms, tokens }: Budget, usage: Usage, later: number): Budget {
  return {
    ms: ms === null ? null : Math.max(0, Math.floor(ms - later)),
    tokens: tokens === null ? null : Math.max(0, tokens - usage.inputTokens - usage.outputTokens),
  }
}

/** Why a librarian pass cannot be used. */
export function passFault(pass: Payload | null): Reason | undefined {
  if (pass?.erased === true)
    return { code: 'mission/erased', message: 'the pass of the task was erased' }
  if (!pass || Date.parse(String(pass.expires_at)) > Date.now()) return undefined
  return {
    code: 'mission/pass-expired',
    message: `the pass ${pass.pass_id} expired at ${pass.expires_at} and cannot be renewed: submit a new mission`,
  }
}
