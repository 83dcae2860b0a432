import type { MissionCancelOutput } from '../../operations/mission-cancel/output.ts'
import type { App } from '../../operations/operation.ts'
import type { Style } from '../parse.ts'
import { missionLines } from './mission.ts'

/** The mission; nothing with --quiet. */
export function text(output: MissionCancelOutput, style: Style, _: App, quiet: boolean): string {
  return quiet ? '' : missionLines(output, style).join('\n')
}
