import { userName } from '../../workspace/index.ts'
import { namedIn } from '../gateway/stated.ts'
import type { App } from '../operation.ts'

/** The input that names the person who requests a mission. */
export const ASKED_BY = {
  type: 'string',
  placeholder: 'name',
  description: 'Who requests it (default: the name in your Git configuration).',
} as const

/**
 * Returns who requests a mission: `by`, or else the Git user name.
 *
 * @throws {WaybillError} 'usage' when the name is blank or looks like a credential.
 */
export function askedBy(by: string | undefined, { root }: Pick<App, 'root'>): string {
  if (by === undefined) return userName(root) ?? 'unknown'
  return namedIn({ by }, BLANK).by
}

const BLANK = {
  message: '--by is blank',
  hint: 'write a name, or omit --by to use the name from Git',
}
