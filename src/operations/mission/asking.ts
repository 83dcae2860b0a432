import { userName } from '../../workspace/index.ts'
import { namedIn } from '../gateway/stated.ts'
import type { App } from '../operation.ts'

/** The input by which whoever asks for a mission is named. */
export const ASKED_BY = {
  type: 'string',
  placeholder: 'name',
  description: 'Who asks for it (default: the name that Git knows).',
} as const

/**
 * Who asks for a mission: whoever was named, else whom Git knows.
 *
 * @throws WaybillError `usage` for a name that is blank, or holds what looks like a credential.
 */
export function askedBy(by: string | undefined, { root }: Pick<App, 'root'>): string {
  if (by === undefined) return userName(root) ?? 'somebody'
  return namedIn({ by }, NOBODY).by
}

const NOBODY = {
  message: '--by names nobody',
  hint: 'write a name, or leave it out: then it is the one that Git knows',
}
