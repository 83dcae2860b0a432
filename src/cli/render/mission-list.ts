import { counted } from '../../contract/index.ts'
import type { MissionListOutput } from '../../operations/mission-list/output.ts'
import type { Style } from '../parse.ts'
import { headLine, reasonLine } from './mission.ts'

/** The missions, one below the other: what each is for, what is still to be done, and why it ended before its end. */
export function text({ state, missions, more }: MissionListOutput, style: Style): string {
  if (missions.length === 0)
    return state === null
      ? 'there are no missions'
      : [
          `there is no mission that is ${state}`,
          style('dim', 'without --state those in every state are listed'),
        ].join('\n')
  return [
    ...missions.flatMap(mission => [
      headLine(mission, style),
      ...openLine(mission, style),
      ...whyLine(mission, style),
    ]),
    ...(more ? [style('dim', 'there are older ones: --limit shows more')] : []),
  ].join('\n')
}

function openLine({ state, openTasks }: MissionListOutput['missions'][number], style: Style) {
  const goesOn = state === 'running' || state === 'paused'
  return goesOn ? [style('dim', `  ${counted(openTasks, 'task')} to be done`)] : []
}

/** What a program has written beside it is for `waybill mission status`. */
function whyLine({ reason }: MissionListOutput['missions'][number], style: Style) {
  const [message = ''] = reason?.message.split('\n') ?? []
  return reason ? [`  ${reasonLine({ code: reason.code, message }, style)}`] : []
}
