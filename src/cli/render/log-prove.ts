import { counted, spelled } from '../../contract/index.ts'
import type { LogProveOutput } from '../../operations/log-prove/output.ts'
import type { App } from '../../operations/operation.ts'
import type { Style } from '../parse.ts'

/** The exact proof, or the file it was written to. */
export function text(output: LogProveOutput, style: Style, _: App, quiet: boolean): string {
  const { file, proof, index, from, size, origin, erased } = output
  if (file === null) return proof
  if (quiet) return ''
  const entries = (count: number) => counted(count, 'entry', 'entries')
  // A proof from size 0 is empty: it asks a witness for its first cosignature.
  if (from === 0)
    return `${style('green', `✓ ${spelled(file)}`)} asks a witness for its first cosignature; growth from 0 entries needs no proof`
  const what =
    index === null
      ? `${spelled(origin)} has only grown, from ${entries(from ?? 0)} to ${size}`
      : `entry ${index} is one of ${entries(size)} of ${spelled(origin)}${erased ? '; its content was erased' : ''}`
  return `${style('green', `✓ ${spelled(file)}`)} proves that ${what}`
}
