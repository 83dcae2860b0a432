import type { App } from '../../operations/operation.ts'
import type { StateAdvanceOutput } from '../../operations/state-advance/output.ts'
import type { Style } from '../parse.ts'
import { actText } from './standing.ts'

/** From where to where the session moved; or what stands in the way, and what to do about it. */
export function text(output: StateAdvanceOutput, style: Style, _app: App, quiet: boolean): string {
  return actText(output, style, quiet)
}
