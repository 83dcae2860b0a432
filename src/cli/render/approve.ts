import { spelled } from '../../contract/index.ts'
import type { ApproveOutput } from '../../operations/approve/output.ts'
import type { App } from '../../operations/operation.ts'
import type { Style } from '../parse.ts'

/** Which handoff it is about, what was said of it, and by what that is shown; quietly only what would be said. */
export function text(output: ApproveOutput, style: Style, _: App, quiet: boolean): string {
  const { outcome, decision, handoff, from, to, sha256, by, standing, receipt } = output
  const about = [
    `  agents  ${from ?? 'unknown'} → ${to ?? 'unknown'}`,
    `  digest  ${style('dim', sha256)}`,
  ]
  if (outcome === 'would-record') {
    const what = decision === 'approved' ? 'approved' : 'rejected'
    return [
      `${style('yellow', handoff)} would be ${what}; nothing was recorded`,
      ...about,
      '',
      'Read the document, then state it with --by <who> --why <reason> [--key <file>].',
    ].join('\n')
  }
  if (quiet) return ''
  const shown = standing === 'proved' ? 'shown by their key' : 'by name only'
  const mark = decision === 'approved' ? style('green', '✓') : style('red', '✗')
  return [
    `${mark} ${handoff} is ${decision} by ${spelled(by ?? '')}`,
    ...about,
    '',
    style('dim', `stated (${shown}), recorded as entry ${receipt?.index}`),
  ].join('\n')
}
