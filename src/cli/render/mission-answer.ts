import type { MissionAnswerOutput } from '../../operations/mission-answer/output.ts'
import type { Style } from '../parse.ts'
import { missionLines } from './mission.ts'

/** How far the mission is. */
export function text(output: MissionAnswerOutput, style: Style): string {
  return missionLines(output, style).join('\n')
}
