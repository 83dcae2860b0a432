import { shellWord, spelled } from '../../contract/index.ts'
import type { App } from '../../operations/operation.ts'
import type { PipelineRunOutput } from '../../operations/pipeline-run/output.ts'
import type { Style } from '../parse.ts'
import { missionLines } from './mission.ts'
import { liveMission } from './mission-live.ts'
import { faultLines } from './mission-submit.ts'

/** How many unfinished units are listed. */
const MOST = 20

/** The mission of the pipeline, then its outcome; with --quiet only what failed. */
export function text(output: PipelineRunOutput, style: Style, _: App, quiet: boolean): string {
  if (quiet) return live()(output, style, quiet)
  const { status, faults } = output
  return [
    ...(status ? missionLines(status, style) : faultLines(faults, style)),
    ...endLines(output, style),
  ].join('\n')
}

/** Shows the pipeline each time its mission advances. */
export function live() {
  const show = liveMission()
  return (output: PipelineRunOutput, style: Style, quiet: boolean): string => {
    const { status, faults } = output
    if (quiet && output.complete) return ''
    if (!status) return [...faultLines(faults, style), ...endLines(output, style)].join('\n')
    const isOver = status.endedAt !== null
    return [show(status, style, quiet), ...(isOver ? endLines(output, style) : [])]
      .filter(line => line !== '')
      .join('\n')
  }
}

function endLines({ file, accepted, complete, left }: PipelineRunOutput, style: Style): string[] {
  const name = style('bold', spelled(file))
  if (!accepted)
    return [`${style('red', '✗')} ${name} is rejected: run waybill check ${shellWord(file)}`]
  if (complete) return [`${style('green', '✓')} ${name} is complete`]
  const shown = left.slice(0, MOST).map(({ address, state, reasons }) => {
    const [why] = reasons
    return `  ${spelled(address)}  ${state}${why ? `  ${style('dim', spelled(why.message))}` : ''}`
  })
  const more = left.length > MOST ? [`  … and ${left.length - MOST} more`] : []
  return [`${style('yellow', '◐')} ${name} is not complete`, ...shown, ...more]
}
