import { spelled } from '../../contract/index.ts'
import type { LockReconcileOutput } from '../../operations/lock-reconcile/output.ts'
import type { App } from '../../operations/operation.ts'
import type { Style } from '../parse.ts'

/** Both hashes, the outcome and who stated it; with --quiet only the result of a dry run. */
export function text(output: LockReconcileOutput, style: Style, _: App, quiet: boolean): string {
  const { outcome, agent, since, old, changed, by, standing, receipt } = output
  const hashes = [
    `  locked  ${old ?? style('dim', 'not locked')}`,
    `  file    ${changed ? style('yellow', output.new) : output.new}`,
  ]
  if (outcome === 'would-reconcile') {
    const what = changed
      ? 'the file differs from the locked version'
      : 'the file matches the locked version'
    return [
      `${style('yellow', agent)} is in quarantine since ${since}: ${what}`,
      ...hashes,
      '',
      ...lineEndsText(output),
      'Compare the file with its approved version, then release the agent with --by <name> --why <reason> [--key <file>].',
    ].join('\n')
  }
  if (quiet) return ''
  const shown = standing === 'proved' ? 'proved by their key' : 'by name only'
  return [
    `${style('green', '✓')} ${agent} is out of quarantine`,
    ...hashes,
    '',
    style('dim', `stated by ${spelled(by ?? '')} (${shown}), recorded as entry ${receipt?.index}`),
    ...(changed ? [style('dim', 'the lockfile changed: commit it')] : []),
  ].join('\n')
}

/** Explains a file that differs in line ends only: fix the file rather than the lock. */
function lineEndsText({ lineEnds }: LockReconcileOutput): string[] {
  if (lineEnds === null) return []
  const { locked, has } = lineEnds
  return [
    `Only the line ends differ: locked with ${locked}, now ${has}. Restore ${locked} instead of locking line ends`,
    `that only this checkout may have; waybill lock verify shows how.`,
    '',
  ]
}
