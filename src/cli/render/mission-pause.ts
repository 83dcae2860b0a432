import type { MissionPauseOutput } from '../../operations/mission-pause/output.ts'
import type { App } from '../../operations/operation.ts'
import type { Style } from '../parse.ts'
import { missionLines } from './mission.ts'
import { handoffLines } from './mission-handoff.ts'

/** The mission and its handoff document; with --quiet only why the document was refused. */
export function text(output: MissionPauseOutput, style: Style, _: App, quiet: boolean): string {
  if (quiet && output.handoff?.accepted !== false) return ''
  return [
    ...(quiet ? [] : missionLines(output, style)),
    ...handoffLines(output.handoff, 'was written', style),
  ].join('\n')
}
