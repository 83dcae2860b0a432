import type { KeyRotateOutput } from '../../operations/key-rotate/output.ts'
import type { App } from '../../operations/operation.ts'
import type { Style } from '../parse.ts'
import { changesText } from './key.ts'

/** The new key and the one it replaces. */
export function text(output: KeyRotateOutput, style: Style, _app: App, quiet: boolean): string {
  return changesText(output, style, quiet)
}
