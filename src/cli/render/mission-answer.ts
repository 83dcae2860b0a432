import { missionCommand } from '../../contract/index.ts'
import type { MissionAnswerOutput } from '../../operations/mission-answer/output.ts'
import type { App } from '../../operations/operation.ts'
import type { Style } from '../parse.ts'
import { missionLines } from './mission.ts'

/** The mission, and whether the answer still has to be checked; nothing with --quiet. */
export function text(output: MissionAnswerOutput, style: Style, _: App, quiet: boolean): string {
  if (quiet) return ''
  const next = `the next worker checks the answer: ${missionCommand('status', output)} shows whether it was accepted`
  return [
    ...missionLines(output, style),
    ...(isUnchecked(output) ? [style('dim', next)] : []),
  ].join('\n')
}

/** A refused answer is removed, and a worker may already have checked this one. */
function isUnchecked({ tasks, answered }: MissionAnswerOutput): boolean {
  const { state, answeredBy = null } = tasks.find(({ task }) => task === answered) ?? {}
  return answeredBy !== null && (state === 'queued' || state === 'running')
}
