import { counted, spelled } from '../../contract/index.ts'
import type { LogProveOutput } from '../../operations/log-prove/output.ts'
import type { App } from '../../operations/operation.ts'
import type { Style } from '../parse.ts'

/** The proof to the byte, or where it was written. */
export function text(output: LogProveOutput, style: Style, _: App, quiet: boolean): string {
  const { file, proof, index, from, size, origin, erased } = output
  if (file === null) return proof
  if (quiet) return ''
  const entries = (count: number) => counted(count, 'entry', 'entries')
  // Every log has grown from nothing: a witness that has cosigned nothing yet is asked so.
  if (from === 0)
    return `${style('green', `✓ ${spelled(file)}`)} asks a witness for its first cosignature; from 0 entries on there is nothing to prove`
  const what =
    index === null
      ? `${spelled(origin)} has only grown, from ${entries(from ?? 0)} to ${size}`
      : `entry ${index} is one of ${entries(size)} of ${spelled(origin)}${erased ? '; what it said was erased' : ''}`
  return `${style('green', `✓ ${spelled(file)}`)} proves that ${what}`
}
