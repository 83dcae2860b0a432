import type { LogCheckpointOutput } from '../../operations/log-checkpoint/output.ts'
import type { App } from '../../operations/operation.ts'
import type { Style } from '../parse.ts'

/** The exact signed note, or the keys, one per line. */
export function text(
  { note, keysOnly, keys, gateway }: LogCheckpointOutput,
  _: Style,
  __: App,
): string {
  return keysOnly ? [...keys, ...gateway].join('\n') : note
}
