import type { MissionResumeOutput } from '../../operations/mission-resume/output.ts'
import type { App } from '../../operations/operation.ts'
import type { Style } from '../parse.ts'
import { missionLines } from './mission.ts'
import { handoffLines } from './mission-handoff.ts'

/** The mission and its handoff document; with --quiet only why the document was refused. */
export function text(output: MissionResumeOutput, style: Style, _: App, quiet: boolean): string {
  if (quiet && output.handoff?.accepted !== false) return ''
  return [
    ...(quiet ? [] : missionLines(output, style)),
    ...handoffLines(output.handoff, 'was resumed', style),
  ].join('\n')
}
