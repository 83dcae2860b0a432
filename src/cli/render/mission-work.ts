import type { MissionWorkOutput } from '../../operations/mission-work/output.ts'
import type { App } from '../../operations/operation.ts'
import type { Style } from '../parse.ts'

/** What the worker tells; quietly nothing. */
export function text(output: MissionWorkOutput, style: Style, _: App, quiet: boolean): string {
  return part(output, style, quiet)
}

/** One thing that the worker tells. */
export function part({ worker, event }: MissionWorkOutput, style: Style, quiet: boolean): string {
  if (quiet) return ''
  return event === 'started'
    ? `worker ${style('bold', worker)} takes tasks; Ctrl-C ends it`
    : `worker ${style('bold', worker)} has stopped`
}
