import { counted } from '../../contract/index.ts'
import type { LogExportOutput } from '../../operations/log-export/output.ts'
import type { Style } from '../parse.ts'

/** What was written; the events themselves go to standard output as they come. */
export function text({ count, out }: LogExportOutput, style: Style): string {
  return `${style('green', '✓')} ${counted(count, 'entry', 'entries')} exported to ${out}`
}

/** The same: what is named is the form of the events. */
export const formats = { cloudevents: (output: LogExportOutput) => text(output, (_, word) => word) }
