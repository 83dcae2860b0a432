import { counted } from '../../contract/index.ts'
import type { KeyRevokeOutput } from '../../operations/key-revoke/output.ts'
import type { App } from '../../operations/operation.ts'
import type { Style } from '../parse.ts'
import { changesText } from './key.ts'

/** The revoked keys, and what that means for the log. */
export function text(output: KeyRevokeOutput, style: Style, _app: App, quiet: boolean): string {
  const { orphaned } = output
  const lines = changesText(output, style, quiet)
  if (quiet || orphaned === null) return lines
  const entries = counted(orphaned, 'entry', 'entries')
  const log = `the log is refused until waybill init re-signs its ${entries} with a new key; until then, verify with waybill log verify --key <the revoked key in waybill.yaml>`
  return `${lines}\n${style('dim', log)}`
}
