import { spelled } from '../../contract/index.ts'
import type { MissionSubmitOutput } from '../../operations/mission-submit/output.ts'
import type { App } from '../../operations/operation.ts'
import type { Style } from '../parse.ts'
import { missionLines } from './mission.ts'

/** The submitted mission, or why it was refused; with --quiet only the latter. */
export function text(
  { status, faults }: MissionSubmitOutput,
  style: Style,
  _: App,
  quiet: boolean,
): string {
  if (status && quiet) return ''
  if (status)
    return [
      ...missionLines(status, style),
      style('dim', 'waybill mission work runs its tasks; waybill mission watch shows progress'),
    ].join('\n')
  return faultLines(faults, style).join('\n')
}

/** Why a mission was not started. */
export function faultLines(faults: MissionSubmitOutput['faults'], style: Style): string[] {
  const lines = faults.flatMap(({ code, artifact, path, message, hint }) => [
    `${style('red', 'error')} ${style('bold', code)}  ${artifact}${spelled(path)}`,
    `  ${spelled(message)}`,
    ...(hint === undefined ? [] : [`  ${style('dim', spelled(hint))}`]),
  ])
  return [...lines, style('red', 'the mission was not started')]
}
