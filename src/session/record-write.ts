import { WaybillError } from '../error.ts'
import { type Recorded, record } from '../workspace/index.ts'

/** Records that a file was written; where that fails, says that the file itself is in order. */
export function recordWrite(root: string, path: string, recorded: Recorded): string {
  try {
    return record(root, recorded)
  } catch (cause) {
    const reason = cause instanceof WaybillError ? `: ${cause.message}` : ''
    throw new WaybillError(
      'input-output',
      `${path} was written, and that could not be recorded${reason}`,
      { hint: `make room on the disk; ${path} itself is in order`, cause },
    )
  }
}
