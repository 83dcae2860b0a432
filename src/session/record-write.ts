import { WaybillError } from '../error.ts'
import { type Recorded, record } from '../workspace/index.ts'

/** Records that a file was written; a failure says that the file itself is complete. */
export function recordWrite(root: string, path: string, recorded: Recorded): string {
  try {
    return record(root, recorded)
  } catch (cause) {
    const reason = cause instanceof WaybillError ? `: ${cause.message}` : ''
    throw new WaybillError(
      'input-output',
      `${path} was written, but recording it failed${reason}`,
      { hint: `free disk space; ${path} itself is complete`, cause },
    )
  }
}
