import { findHiddenText, findSecrets } from '../../document/index.ts'
import { WaybillError } from '../../error.ts'
import {
  committedEvidence,
  type Gateway,
  openGovernanceFiles,
  uncommitted,
} from '../../governance/index.ts'
import type { App } from '../operation.ts'

interface Lacking {
  readonly message: string
  readonly hint: string
}

/** Who states something, and why: both are recorded for good, so neither may be empty, hold a credential, or what is not seen. */
export function statedIn(
  { by = '', why = '' }: { readonly by?: string; readonly why?: string },
  lacking: Lacking,
): { by: string; why: string } {
  if (why.trim() === '') throw new WaybillError('usage', lacking.message, { hint: lacking.hint })
  const named = namedIn({ by }, lacking)
  mustBePlain(why)
  return { ...named, why }
}

/** Who states something that needs no reason. */
export function namedIn({ by = '' }: { readonly by?: string }, lacking: Lacking): { by: string } {
  if (by.trim() === '') throw new WaybillError('usage', lacking.message, { hint: lacking.hint })
  if (findSecrets(by).length > 0)
    throw new WaybillError('usage', 'the name in --by holds what looks like a credential', {
      hint: 'name the person: --by <who>',
    })
  if (by.length > LONGEST_NAME)
    throw new WaybillError('usage', `the name in --by is longer than ${LONGEST_NAME} characters`, {
      hint: 'name the person: --by <who>',
    })
  return { by: by.trim() }
}

/** Whoever reads a list of what was stated has to find more in its lines than a name; in UTF-16 units. */
const LONGEST_NAME = 256

/** Lines and tabs apart, what steers a terminal shows something else than what is signed. */
const STEERING = /(?![\n\r\t])\p{Cc}/u

/** A reason is printed and recorded for good: it repeats no credential that it may be about, and says what is seen of it. */
export function mustBePlain(reason: string): void {
  if (findSecrets(reason).length > 0)
    throw new WaybillError('usage', 'the reason holds what looks like a credential', {
      hint: 'say it without',
    })
  mustBeSeen(reason, 'the reason')
}

/** Refuses text of which something is not seen. */
export function mustBeSeen(text: string, what: string): void {
  if (STEERING.test(text) || findHiddenText(text).length > 0)
    throw new WaybillError('usage', `${what} holds characters that are not seen`, {
      hint: 'type it anew: what was copied may carry them',
    })
}

/** Tells whoever states something where nobody may have reviewed whose word counts, or what it is about. */
export async function tellUncommitted({ root, config }: Gateway, app: App): Promise<void> {
  const standing = await committedEvidence(root, config, await openGovernanceFiles(root, config)())
  for (const { code, message } of uncommitted(standing)) app.tell?.(`${code}: ${message}`)
}
