import { counted } from '../../contract/index.ts'
import type { LogExportOutput } from '../../operations/log-export/output.ts'
import type { Style } from '../parse.ts'

/** What was written; the events themselves go to standard output as they come. */
export function text({ count, out, changed }: LogExportOutput, style: Style): string {
  const done = `${style('green', '✓')} ${counted(count, 'entry', 'entries')} exported to ${out}`
  if (changed.length === 0) return done
  const what = `${counted(changed.length, 'entry', 'entries')} of them not as recorded`
  return `${done}\n${style('red', '✗')} ${what}: waybill log verify looks into that`
}

/** The same: what is named is the form of the events. */
export const formats = { cloudevents: (output: LogExportOutput) => text(output, (_, word) => word) }
