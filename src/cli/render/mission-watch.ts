import type { MissionWatchOutput } from '../../operations/mission-watch/output.ts'
import type { App } from '../../operations/operation.ts'
import type { Style } from '../parse.ts'
import { missionLines } from './mission.ts'
import { liveText } from './mission-live.ts'

/** The mission; with --quiet only what failed. */
export function text(output: MissionWatchOutput, style: Style, _: App, quiet: boolean): string {
  return quiet ? part(output, style, quiet) : missionLines(output, style).join('\n')
}

/** An update of the mission. */
export function part(output: MissionWatchOutput, style: Style, quiet: boolean): string {
  return liveText(output, style, quiet)
}
