import type { App } from '../../operations/operation.ts'
import type { StateAdvanceOutput } from '../../operations/state-advance/output.ts'
import type { Style } from '../parse.ts'
import { actText } from './standing.ts'

/** The phase change, or what blocks it and how to fix that. */
export function text(output: StateAdvanceOutput, style: Style, _app: App, quiet: boolean): string {
  return actText(output, style, quiet)
}
