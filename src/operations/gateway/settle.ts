import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { WaybillError } from '../../error.ts'
import { hasWaitingRecords, loadConfig, stateFolder } from '../../workspace/index.ts'
import type { App } from '../operation.ts'

/** The file with the log's name, known to governance, which is not loaded for this test. */
const ORIGIN = 'keys/origin'

/** Runs an operation, and appends its records to the log if there is one; also after a failure. */
export async function settled<O>(work: Promise<O>, app: App): Promise<O> {
  try {
    return await work
  } finally {
    await settleRecords(app)
  }
}

/** Appends waiting records to the log; reports a failure. */
async function settleRecords(app: App): Promise<void> {
  try {
    if (!existsSync(join(stateFolder(app.root), ORIGIN)) || !hasWaitingRecords(app.root)) return
    // Load the log only if needed: loading takes longer than most runs.
    const { withGateway } = await import('./open.ts')
    await withGateway(app, await loadConfig(app.root), async () => undefined)
  } catch (error) {
    // The operation succeeded even if the log is busy or has errors.
    const { message, hint } = error instanceof WaybillError ? error : { message: String(error) }
    const why = hint === undefined ? message : `${message}; ${hint}`
    app.tell?.(`the record is saved but not in the log yet: ${why}`)
  }
}
