import type { MissionPauseOutput } from '../../operations/mission-pause/output.ts'
import type { Style } from '../parse.ts'
import { missionLines } from './mission.ts'
import { handoffLines } from './mission-handoff.ts'

/** How far the mission is. */
export function text(output: MissionPauseOutput, style: Style): string {
  return [
    ...missionLines(output, style),
    ...handoffLines(output.handoff, 'was written', style),
  ].join('\n')
}
