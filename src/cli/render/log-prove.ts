import { counted, spelled } from '../../contract/index.ts'
import type { LogProveOutput } from '../../operations/log-prove/output.ts'
import type { App } from '../../operations/operation.ts'
import type { Style } from '../parse.ts'

/** The proof to the byte, or where it was written. */
export function text(output: LogProveOutput, style: Style, _: App, quiet: boolean): string {
  const { file, proof, index, from, size, origin } = output
  if (file === null) return proof
  if (quiet) return ''
  const entries = (count: number) => counted(count, 'entry', 'entries')
  const what =
    index === null
      ? `${spelled(origin)} has only grown, from ${entries(from ?? 0)} to ${size}`
      : `entry ${index} is one of ${entries(size)} of ${spelled(origin)}`
  return `${style('green', `✓ ${spelled(file)}`)} proves that ${what}`
}
