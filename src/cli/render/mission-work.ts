import type { MissionWorkOutput } from '../../operations/mission-work/output.ts'
import type { App } from '../../operations/operation.ts'
import type { Style } from '../parse.ts'

/** The last event of the worker; nothing with --quiet. */
export function text(output: MissionWorkOutput, style: Style, _: App, quiet: boolean): string {
  return part(output, style, quiet)
}

/** One event of the worker. */
export function part({ worker, event }: MissionWorkOutput, style: Style, quiet: boolean): string {
  if (quiet) return ''
  return event === 'started'
    ? `worker ${style('bold', worker)} takes tasks; press Ctrl-C to stop`
    : `worker ${style('bold', worker)} has stopped`
}
