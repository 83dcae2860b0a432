import type { MissionWorkOutput } from '../../operations/mission-work/output.ts'
import type { Style } from '../parse.ts'

/** What the worker tells. */
export function text({ worker, event }: MissionWorkOutput, style: Style): string {
  return event === 'started'
    ? `worker ${style('bold', worker)} takes tasks; Ctrl-C ends it`
    : `worker ${style('bold', worker)} has stopped`
}

/** One thing that the worker tells. */
export function part(output: MissionWorkOutput, style: Style): string {
  return text(output, style)
}
