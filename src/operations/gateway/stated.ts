import { findSecrets } from '../../document/index.ts'
import { WaybillError } from '../../error.ts'

/** Who states something, and why: both are recorded for good, so neither may be empty or hold a credential. */
export function statedIn(
  { by = '', why = '' }: { readonly by?: string; readonly why?: string },
  lacking: { readonly message: string; readonly hint: string },
): { by: string; why: string } {
  if (by.trim() === '' || why.trim() === '')
    throw new WaybillError('usage', lacking.message, { hint: lacking.hint })
  if (findSecrets(by).length > 0)
    throw new WaybillError('usage', 'the name in --by holds what looks like a credential', {
      hint: 'name the person: --by <who>',
    })
  mustHoldNoSecret(why)
  return { by, why }
}

/** A reason is printed and recorded for good, so it must not repeat the credential that it may be about. */
export function mustHoldNoSecret(reason: string): void {
  if (findSecrets(reason).length === 0) return
  throw new WaybillError('usage', 'the reason holds what looks like a credential', {
    hint: 'say it without',
  })
}
