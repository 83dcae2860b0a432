import type { MissionRejectOutput } from '../../operations/mission-reject/output.ts'
import type { Style } from '../parse.ts'
import { decisionText } from './mission-decision.ts'

/** What was decided, or would be. */
export function text(output: MissionRejectOutput, style: Style): string {
  return decisionText(output, style)
}
