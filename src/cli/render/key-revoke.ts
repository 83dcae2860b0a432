import type { KeyRevokeOutput } from '../../operations/key-revoke/output.ts'
import type { App } from '../../operations/operation.ts'
import type { Style } from '../parse.ts'
import { changesText } from './key.ts'

/** The keys that count no more. */
export function text(output: KeyRevokeOutput, style: Style, _app: App, quiet: boolean): string {
  return changesText(output, style, quiet)
}
