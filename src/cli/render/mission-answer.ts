import { missionCommand } from '../../contract/index.ts'
import type { MissionAnswerOutput } from '../../operations/mission-answer/output.ts'
import type { App } from '../../operations/operation.ts'
import type { Style } from '../parse.ts'
import { missionLines } from './mission.ts'

/** How far the mission is, and whether nobody has looked at the answer yet; quietly nothing. */
export function text(output: MissionAnswerOutput, style: Style, _: App, quiet: boolean): string {
  if (quiet) return ''
  const next = `the answer is checked by the next worker: ${missionCommand('status', output)} says whether it was taken`
  return [
    ...missionLines(output, style),
    ...(isToBeChecked(output) ? [style('dim', next)] : []),
  ].join('\n')
}

/** An answer that was refused is no longer there; a worker may have been faster than who asks. */
function isToBeChecked({ tasks, answered }: MissionAnswerOutput): boolean {
  const { state, answeredBy = null } = tasks.find(({ task }) => task === answered) ?? {}
  return answeredBy !== null && (state === 'queued' || state === 'running')
}
