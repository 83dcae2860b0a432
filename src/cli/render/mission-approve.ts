import type { MissionApproveOutput } from '../../operations/mission-approve/output.ts'
import type { App } from '../../operations/operation.ts'
import type { Style } from '../parse.ts'
import { decisionText } from './mission-decision.ts'

/** The decision; with --quiet only the result of a dry run. */
export function text(output: MissionApproveOutput, style: Style, _: App, quiet: boolean): string {
  return quiet && output.outcome !== 'would-record' ? '' : decisionText(output, style)
}
