import type { MissionRunOutput } from '../../operations/mission-run/output.ts'
import type { App } from '../../operations/operation.ts'
import type { Style } from '../parse.ts'
import { missionLines } from './mission.ts'
import { liveText } from './mission-live.ts'
import { faultLines } from './mission-submit.ts'

/** The mission; with --quiet only what failed. */
export function text(output: MissionRunOutput, style: Style, _: App, quiet: boolean): string {
  const { status, faults } = output
  if (quiet) return part(output, style, quiet)
  return (status ? missionLines(status, style) : faultLines(faults, style)).join('\n')
}

/** An update of the mission. */
export function part({ status, faults }: MissionRunOutput, style: Style, quiet: boolean): string {
  return status ? liveText(status, style, quiet) : faultLines(faults, style).join('\n')
}
