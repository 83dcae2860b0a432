import type { MissionWatchOutput } from '../../operations/mission-watch/output.ts'
import type { App } from '../../operations/operation.ts'
import type { Style } from '../parse.ts'
import { missionLines } from './mission.ts'
import { liveMission } from './mission-live.ts'

/** The mission; with --quiet only what failed. */
export function text(output: MissionWatchOutput, style: Style, _: App, quiet: boolean): string {
  return quiet ? live()(output, style, quiet) : missionLines(output, style).join('\n')
}

/** Shows the mission each time it advances. */
export function live() {
  return liveMission()
}
