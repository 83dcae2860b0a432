import type { MissionListOutput } from '../../operations/mission-list/output.ts'
import type { Style } from '../parse.ts'
import { headLine } from './mission.ts'

/** The missions, one below the other. */
export function text({ missions, more }: MissionListOutput, style: Style): string {
  if (missions.length === 0) return 'there are no missions'
  return [
    ...missions.map(mission => headLine(mission, style)),
    ...(more ? [style('dim', 'there are older ones: --limit shows more')] : []),
  ].join('\n')
}
