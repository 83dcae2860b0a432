import type { App } from '../../operations/operation.ts'
import type { StateGateOutput } from '../../operations/state-gate/output.ts'
import type { Style } from '../parse.ts'
import { actText } from './standing.ts'

/** The gate decision and its effects, or what blocks it and how to fix that. */
export function text(output: StateGateOutput, style: Style, _app: App, quiet: boolean): string {
  return actText(output, style, quiet)
}
