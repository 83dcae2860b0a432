import type { MissionRetryOutput } from '../../operations/mission-retry/output.ts'
import type { Style } from '../parse.ts'
import { missionLines } from './mission.ts'

/** How far the mission is. */
export function text(output: MissionRetryOutput, style: Style): string {
  return missionLines(output, style).join('\n')
}
