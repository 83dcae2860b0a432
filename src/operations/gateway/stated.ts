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

/** Validates a recorded name and reason: not empty, no credential, no invisible characters. */
export function statedIn(
  { by = '', why = '' }: { readonly by?: string; readonly why?: string },
  lacking: Lacking,
): { by: string; why: string } {
  if (why.trim() === '') throw new WaybillError('usage', lacking.message, { hint: lacking.hint })
  const named = namedIn({ by }, lacking)
  mustBePlain(why)
  return { ...named, why }
}

/** Validates a recorded name. */
export function namedIn({ by = '' }: { readonly by?: string }, lacking: Lacking): { by: string } {
  if (by.trim() === '') throw new WaybillError('usage', lacking.message, { hint: lacking.hint })
  if (findSecrets(by).length > 0)
    throw new WaybillError('usage', 'the name in --by looks like a credential', {
      hint: 'name the person: --by <name>',
    })
  if (by.length > LONGEST_NAME)
    throw new WaybillError('usage', `the name in --by is longer than ${LONGEST_NAME} characters`, {
      hint: 'name the person: --by <name>',
    })
  return { by: by.trim() }
}

/** In UTF-16 code units; keeps lists readable. */
const LONGEST_NAME = 256

/** Control characters other than line ends and tabs: a terminal would show something else than what is signed. */
const STEERING = /(?![\n\r\t])\p{Cc}/u

/** Refuses a reason that contains a credential or invisible characters. */
export function mustBePlain(reason: string): void {
  if (findSecrets(reason).length > 0)
    throw new WaybillError('usage', 'the reason contains what looks like a credential', {
      hint: 'remove it from the reason',
    })
  mustBeSeen(reason, 'the reason')
}

/** Refuses text with invisible characters. */
export function mustBeSeen(text: string, what: string): void {
  if (STEERING.test(text) || findHiddenText(text).length > 0)
    throw new WaybillError('usage', `${what} contains invisible characters`, {
      hint: 'retype it: copied text may contain them',
    })
}

/** Warns when trust or governance files have uncommitted, possibly unreviewed changes. */
export async function tellUncommitted({ root, config }: Gateway, app: App): Promise<void> {
  const standing = await committedEvidence(root, config, await openGovernanceFiles(root, config)())
  for (const { code, message } of uncommitted(standing)) app.tell?.(`${code}: ${message}`)
}
