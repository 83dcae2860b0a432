import { counted } from '../../contract/index.ts'
import type { MissionListOutput } from '../../operations/mission-list/output.ts'
import type { Style } from '../parse.ts'
import { headLine, reasonLine } from './mission.ts'

/** The missions: goal, open tasks, and why one ended early. */
export function text({ state, missions, more }: MissionListOutput, style: Style): string {
  if (missions.length === 0)
    return state === null
      ? 'no missions'
      : [`no missions are ${state}`, style('dim', 'omit --state to list all missions')].join('\n')
  return [
    ...missions.flatMap(mission => [
      headLine(mission, style),
      ...openLine(mission, style),
      ...whyLine(mission, style),
    ]),
    ...(more ? [style('dim', 'older missions not shown; --limit shows more')] : []),
  ].join('\n')
}

function openLine({ state, openTasks }: MissionListOutput['missions'][number], style: Style) {
  const isOpen = state === 'running' || state === 'paused'
  return isOpen ? [style('dim', `  ${counted(openTasks, 'task')} open`)] : []
}

/** The first line; `waybill mission status` shows the rest. */
function whyLine({ reason }: MissionListOutput['missions'][number], style: Style) {
  const [message = ''] = reason?.message.split('\n') ?? []
  return reason ? [`  ${reasonLine({ code: reason.code, message }, style)}`] : []
}
