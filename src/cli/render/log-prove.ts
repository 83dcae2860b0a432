import { spelled } from '../../contract/index.ts'
import type { LogProveOutput } from '../../operations/log-prove/output.ts'
import type { App } from '../../operations/operation.ts'
import type { Style } from '../parse.ts'

/** The proof to the byte, or where it was written. */
export function text(output: LogProveOutput, style: Style, _: App, quiet: boolean): string {
  const { file, proof, index, from, size, origin } = output
  if (file === null) return proof
  if (quiet) return ''
  const what =
    index === null
      ? `the log of ${from} entries was only appended to`
      : `entry ${index} is one of ${size} entries`
  return `${style('green', `✓ ${spelled(file)}`)} proves that ${what} of ${spelled(origin)}`
}
