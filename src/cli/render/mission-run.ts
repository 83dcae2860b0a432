import type { MissionRunOutput } from '../../operations/mission-run/output.ts'
import type { App } from '../../operations/operation.ts'
import type { Style } from '../parse.ts'
import { missionLines } from './mission.ts'
import { liveMission } from './mission-live.ts'
import { faultLines } from './mission-submit.ts'

/** The mission; with --quiet only what failed. */
export function text(output: MissionRunOutput, style: Style, _: App, quiet: boolean): string {
  const { status, faults } = output
  if (quiet) return live()(output, style, quiet)
  return (status ? missionLines(status, style) : faultLines(faults, style)).join('\n')
}

/** Shows the mission each time it advances. */
export function live() {
  const show = liveMission()
  return ({ status, faults }: MissionRunOutput, style: Style, quiet: boolean): string =>
    status ? show(status, style, quiet) : faultLines(faults, style).join('\n')
}
