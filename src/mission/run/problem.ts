import { maskSecrets } from '../../document/index.ts'
import { WaybillError } from '../../error.ts'

/** What may be told of a problem that nobody expected: no words of others, which may repeat what was said. */
export function toldOf(problem: unknown): string {
  if (problem instanceof WaybillError) return problem.message
  if (!(problem instanceof Error)) return 'something unexpected happened'
  const code = 'code' in problem ? ` ${String(problem.code)}` : ''
  const isOfDatabase = 'severity' in problem
  return isOfDatabase
    ? `the database refuses it (${code.trim()})`
    : maskSecrets(`${problem.name}${code}: ${problem.message}`)
}
