import { counted } from '../../contract/index.ts'
import type { LogExportOutput } from '../../operations/log-export/output.ts'
import type { Style } from '../parse.ts'

/** The count and the file; the events themselves are streamed to standard output. */
export function text({ count, out, changed }: LogExportOutput, style: Style): string {
  const done = `${style('green', '✓')} ${counted(count, 'entry', 'entries')} exported to ${out}`
  if (changed.length === 0) return done
  const what = `${counted(changed.length, 'entry', 'entries')} changed since recording`
  return `${done}\n${style('red', '✗')} ${what}: run waybill log verify`
}

/** The same text: the format names that of the events. */
export const formats = { cloudevents: (output: LogExportOutput) => text(output, (_, word) => word) }
