import type { MissionApproveOutput } from '../../operations/mission-approve/output.ts'
import type { Style } from '../parse.ts'
import { decisionText } from './mission-decision.ts'

/** What was decided, or would be. */
export function text(output: MissionApproveOutput, style: Style): string {
  return decisionText(output, style)
}
