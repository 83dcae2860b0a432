import type { MissionRetryOutput } from '../../operations/mission-retry/output.ts'
import type { App } from '../../operations/operation.ts'
import type { Style } from '../parse.ts'
import { missionLines } from './mission.ts'

/** The mission; nothing with --quiet. */
export function text(output: MissionRetryOutput, style: Style, _: App, quiet: boolean): string {
  return quiet ? '' : missionLines(output, style).join('\n')
}
