import type { MissionStatusOutput } from '../../operations/mission-status/output.ts'
import type { Style } from '../parse.ts'
import { missionLines } from './mission.ts'

export function text(output: MissionStatusOutput, style: Style): string {
  return missionLines(output, style).join('\n')
}
