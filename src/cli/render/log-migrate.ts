import { counted, spelled } from '../../contract/index.ts'
import type { LogMigrateOutput } from '../../operations/log-migrate/output.ts'
import type { App } from '../../operations/operation.ts'
import type { Style } from '../parse.ts'

/** What became of the log, and what is left to be done. */
export function text(output: LogMigrateOutput, style: Style, _: App): string {
  const { sealed, configured } = output
  return [
    `${style('green', '✓')} ${whatBecame(output)}`,
    style('dim', `  ${spelled(sealed)} is sealed: nothing is appended there any more, nor erased;`),
    style('dim', '  remove it once nobody needs it: what log erase erases from now on stays there'),
    ...(configured
      ? []
      : [
          `${style('yellow', '!')} write ${style('bold', 'ledger: postgres')} in waybill.yaml, then start anew whatever was running here`,
        ]),
  ].join('\n')
}

function whatBecame({ outcome, size, root }: LogMigrateOutput): string {
  const entries = counted(size, 'entry', 'entries')
  if (outcome === 'nothing-to-move')
    return 'nothing was recorded here yet: the log begins in PostgreSQL'
  if (outcome === 'was-moved') return `the log was moved to PostgreSQL before, with ${entries}`
  return `${entries} moved to PostgreSQL; the root is the same: ${root?.slice(0, 16)}…`
}
