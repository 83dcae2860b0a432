import type { MissionResumeOutput } from '../../operations/mission-resume/output.ts'
import type { Style } from '../parse.ts'
import { missionLines } from './mission.ts'
import { handoffLines } from './mission-handoff.ts'

/** How far the mission is. */
export function text(output: MissionResumeOutput, style: Style): string {
  return [
    ...missionLines(output, style),
    ...handoffLines(output.handoff, 'was gone on from', style),
  ].join('\n')
}
