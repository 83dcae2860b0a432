import type { MissionRunOutput } from '../../operations/mission-run/output.ts'
import type { Style } from '../parse.ts'
import { missionLines } from './mission.ts'
import { liveText } from './mission-live.ts'
import { faultLines } from './mission-submit.ts'

/** How far the mission came. */
export function text({ status, faults }: MissionRunOutput, style: Style): string {
  return (status ? missionLines(status, style) : faultLines(faults, style)).join('\n')
}

/** The mission each time that it has come further. */
export function part({ status, faults }: MissionRunOutput, style: Style): string {
  return status ? liveText(status, style) : faultLines(faults, style).join('\n')
}
