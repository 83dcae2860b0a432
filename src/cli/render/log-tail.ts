import type { ListedEntryOutput } from '../../operations/log/output.ts'
import type { LogTailOutput } from '../../operations/log-tail/output.ts'
import type { Style } from '../parse.ts'
import { single, table } from './log.ts'

/** The last entries as a table. */
export function text({ entries }: LogTailOutput, style: Style): string {
  if (entries.length === 0) return 'nothing recorded yet'
  return table(entries, style).join('\n')
}

/** One new entry. */
export function part(entry: ListedEntryOutput, style: Style): string {
  return single(entry, style)
}
