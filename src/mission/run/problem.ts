import { maskSecrets } from '../../document/index.ts'
import { WaybillError } from '../../error.ts'

/** Describes an unexpected error without repeating confidential text. */
export function toldOf(problem: unknown): string {
  if (problem instanceof WaybillError) return problem.message
  if (!(problem instanceof Error)) return 'an unexpected error occurred'
  const code = 'code' in problem ? ` ${String(problem.code)}` : ''
  const isOfDatabase = 'severity' in problem
  return isOfDatabase
    ? `the database refused it (${code.trim()})`
    : maskSecrets(`${problem.name}${code}: ${problem.message}`)
}
