import type { MissionWatchOutput } from '../../operations/mission-watch/output.ts'
import type { Style } from '../parse.ts'
import { missionLines } from './mission.ts'
import { liveText } from './mission-live.ts'

/** How far the mission is. */
export function text(output: MissionWatchOutput, style: Style): string {
  return missionLines(output, style).join('\n')
}

/** The mission each time that it has come further. */
export function part(output: MissionWatchOutput, style: Style): string {
  return liveText(output, style)
}
