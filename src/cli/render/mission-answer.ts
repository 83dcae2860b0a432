import type { MissionAnswerOutput } from '../../operations/mission-answer/output.ts'
import type { App } from '../../operations/operation.ts'
import type { Style } from '../parse.ts'
import { missionLines } from './mission.ts'

/** How far the mission is, and that nobody has looked at the answer yet; quietly nothing. */
export function text(output: MissionAnswerOutput, style: Style, _: App, quiet: boolean): string {
  if (quiet) return ''
  const next = `the answer is checked by the next worker: waybill mission status ${output.mission} says whether it was taken`
  return [...missionLines(output, style), style('dim', next)].join('\n')
}
