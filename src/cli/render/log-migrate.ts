import { counted, spelled } from '../../contract/index.ts'
import type { LogMigrateOutput } from '../../operations/log-migrate/output.ts'
import type { App } from '../../operations/operation.ts'
import type { Style } from '../parse.ts'

/** The outcome, and what is left to do. */
export function text(output: LogMigrateOutput, style: Style, _: App): string {
  const { sealed, configured } = output
  return [
    `${style('green', '✓')} ${outcomeText(output)}`,
    style('dim', `  ${spelled(sealed)} is sealed: nothing can be appended or erased there;`),
    style('dim', '  delete it when it is no longer needed: later erasures do not reach it'),
    ...(configured
      ? []
      : [
          `${style('yellow', '!')} set ${style('bold', 'ledger: postgres')} in waybill.yaml, then restart running processes`,
        ]),
  ].join('\n')
}

function outcomeText({ outcome, size, root }: LogMigrateOutput): string {
  const entries = counted(size, 'entry', 'entries')
  if (outcome === 'nothing-to-move') return 'nothing was recorded yet: the log starts in PostgreSQL'
  if (outcome === 'was-moved') return `the log was already moved to PostgreSQL, with ${entries}`
  return `${entries} moved to PostgreSQL; the root is the same: ${root?.slice(0, 16)}…`
}
