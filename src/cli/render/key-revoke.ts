import { counted } from '../../contract/index.ts'
import type { KeyRevokeOutput } from '../../operations/key-revoke/output.ts'
import type { App } from '../../operations/operation.ts'
import type { Style } from '../parse.ts'
import { changesText } from './key.ts'

/** The keys that count no more, and what that means for the log. */
export function text(output: KeyRevokeOutput, style: Style, _app: App, quiet: boolean): string {
  const { orphaned } = output
  const told = changesText(output, style, quiet)
  if (quiet || orphaned === null) return told
  const entries = counted(orphaned, 'entry', 'entries')
  const log = `the log is refused until waybill init has a new key sign for its ${entries}; until then they are verified with the revoked one: waybill log verify --key, as waybill.yaml lists it`
  return `${told}\n${style('dim', log)}`
}
