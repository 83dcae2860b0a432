import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { WaybillError } from '../../error.ts'
import { hasWaitingRecords, loadConfig, stateFolder } from '../../workspace/index.ts'
import type { App } from '../operation.ts'

/** Where the keys of a log are, and with them the name of that log; governance says so, and is not loaded for asking. */
const ORIGIN = 'keys/origin'

/**
 * The work of an operation, after which what it has recorded is an entry in the log, wherever there is one.
 *
 * A refusal is recorded, too, and what fails may have recorded something before.
 */
export async function settled<O>(work: Promise<O>, app: App): Promise<O> {
  try {
    return await work
  } finally {
    await settleRecords(app)
  }
}

/** Takes the records that wait into the log; what cannot be taken in now waits on, and that is told. */
async function settleRecords(app: App): Promise<void> {
  try {
    if (!existsSync(join(stateFolder(app.root), ORIGIN)) || !hasWaitingRecords(app.root)) return
    // Without a log nothing of it is loaded: that takes longer than the work of most runs.
    const { withGateway } = await import('./open.ts')
    await withGateway(app, await loadConfig(app.root), async () => undefined)
  } catch (error) {
    // What was done is done and recorded: it is no failure of it that the log is busy or at fault.
    const why = error instanceof WaybillError ? error.message : String(error)
    app.tell?.(`the record is kept, and is not in the log yet: ${why}`)
  }
}
