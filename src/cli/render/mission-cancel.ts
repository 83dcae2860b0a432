import type { MissionCancelOutput } from '../../operations/mission-cancel/output.ts'
import type { Style } from '../parse.ts'
import { missionLines } from './mission.ts'

/** How far the mission is. */
export function text(output: MissionCancelOutput, style: Style): string {
  return missionLines(output, style).join('\n')
}
