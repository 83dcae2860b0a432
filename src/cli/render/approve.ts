import { spelled } from '../../contract/index.ts'
import type { ApproveOutput } from '../../operations/approve/output.ts'
import type { App } from '../../operations/operation.ts'
import type { Style } from '../parse.ts'

/** The handoff, the decision and its evidence; with --quiet only the result of a dry run. */
export function text(output: ApproveOutput, style: Style, _: App, quiet: boolean): string {
  const { outcome, decision, handoff, from, to, sha256, by, standing, receipt } = output
  const about = [
    `  agents  ${from ?? 'unknown'} → ${to ?? 'unknown'}`,
    `  digest  ${style('dim', sha256)}`,
  ]
  if (outcome === 'would-record') {
    const what = decision === 'approved' ? 'approved' : 'rejected'
    return [
      `${style('yellow', handoff)} would be ${what}; nothing recorded`,
      ...about,
      '',
      'Read the document, then record the decision with --by <name> --why <reason> [--key <file>].',
    ].join('\n')
  }
  if (quiet) return ''
  const shown = standing === 'proved' ? 'proved by their key' : 'by name only'
  const mark = decision === 'approved' ? style('green', '✓') : style('red', '✗')
  return [
    `${mark} ${handoff} is ${decision} by ${spelled(by ?? '')}`,
    ...about,
    '',
    style('dim', `stated (${shown}), recorded as entry ${receipt?.index}`),
  ].join('\n')
}
