import { spelled } from '../../contract/index.ts'
import type { LockReconcileOutput } from '../../operations/lock-reconcile/output.ts'
import type { App } from '../../operations/operation.ts'
import type { Style } from '../parse.ts'

/** Both hashes one below the other, what became of the agent, and who stands for it; quietly only what would be said. */
export function text(output: LockReconcileOutput, style: Style, _: App, quiet: boolean): string {
  const { outcome, agent, since, old, changed, by, standing, receipt } = output
  const hashes = [
    `  locked  ${old ?? style('dim', 'not locked')}`,
    `  file    ${changed ? style('yellow', output.new) : output.new}`,
  ]
  if (outcome === 'would-reconcile') {
    const what = changed ? 'the file is not what is locked' : 'the file is what is locked'
    return [
      `${style('yellow', agent)} is in quarantine since ${since}: ${what}`,
      ...hashes,
      '',
      ...lineEndsText(output),
      'Compare the file with its approved version, then state it with --by <who> --why <reason> [--key <file>].',
    ].join('\n')
  }
  if (quiet) return ''
  const shown = standing === 'proved' ? 'shown by their key' : 'by name only'
  return [
    `${style('green', '✓')} ${agent} is out of quarantine`,
    ...hashes,
    '',
    style('dim', `stated by ${spelled(by ?? '')} (${shown}), recorded as entry ${receipt?.index}`),
    ...(changed ? [style('dim', 'the lock was changed: commit it')] : []),
  ].join('\n')
}

/** That nothing was rewritten: then the file is to be put right, and hardly the lock. */
function lineEndsText({ lineEnds }: LockReconcileOutput): string[] {
  if (lineEnds === null) return []
  const { locked, has } = lineEnds
  return [
    `Only its line ends differ: it was locked with ${locked}, and has ${has}. Give it ${locked} back rather than lock`,
    `others, which only this checkout may have; waybill lock verify says how.`,
    '',
  ]
}
