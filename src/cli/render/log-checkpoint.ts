import type { LogCheckpointOutput } from '../../operations/log-checkpoint/output.ts'
import type { App } from '../../operations/operation.ts'
import type { Style } from '../parse.ts'

/** The signed note to the byte; or the keys, one a line. */
export function text(
  { note, keysOnly, keys, gateway }: LogCheckpointOutput,
  _: Style,
  __: App,
): string {
  return keysOnly ? [...keys, ...gateway].join('\n') : note
}
