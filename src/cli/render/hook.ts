import type { HookOutput } from '../../operations/hook/output.ts'

/** The answer as the coding agent reads it; nothing for an empty answer. */
export function text({ answer }: HookOutput): string {
  if (typeof answer === 'string') return answer
  return Object.keys(answer).length === 0 ? '' : JSON.stringify(answer)
}
