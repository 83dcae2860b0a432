import type { App } from '../../operations/operation.ts'
import type { StateGateOutput } from '../../operations/state-gate/output.ts'
import type { Style } from '../parse.ts'
import { actText } from './standing.ts'

/** What the gate decided and what followed; or why it may not, and what to do about it. */
export function text(output: StateGateOutput, style: Style, _app: App, quiet: boolean): string {
  return actText(output, style, quiet)
}
