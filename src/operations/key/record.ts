import { WaybillError } from '../../error.ts'
import {
  type Gateway,
  type KeyChange,
  type Rotation,
  recordKeyChanges,
} from '../../governance/index.ts'
import { loadConfig } from '../../workspace/index.ts'
import { withGateway } from '../gateway/open.ts'
import type { App } from '../operation.ts'

/**
 * Records what became of keys; gives the gateway time afterwards, if it was recorded.
 *
 * Where the gateway or its log is left without one, nothing can be recorded: the change itself stands in the committed
 * configuration all the same.
 */
export async function recordChanges(
  changes: readonly KeyChange[],
  app: App,
): Promise<number | undefined> {
  return withOwnLog(app, async gateway => {
    await recordKeyChanges(gateway, changes)
    return gateway.time()
  })
}

/**
 * Makes a change of keys and records it. The log is looked at first; where it is at fault nothing is changed, and what
 * is changed and cannot be recorded is taken back.
 */
export async function changeAndRecord(make: () => Promise<Rotation>, app: App): Promise<KeyChange> {
  await withOwnLog(app, async () => undefined)
  const { change, undo } = await make()
  let isRecorded = false
  // What there is to say about the log was said when it was looked at.
  const { tell: _, ...quiet } = app
  try {
    await withOwnLog(quiet, async gateway => {
      await recordKeyChanges(gateway, [change])
      isRecorded = true
    })
  } catch (error) {
    if (!isRecorded) undo()
    throw error
  }
  return change
}

/** Works with the log that is here; not at all where there are no keys for it. */
async function withOwnLog<T>(
  app: App,
  work: (gateway: Gateway) => Promise<T>,
): Promise<T | undefined> {
  const config = await loadConfig(app.root)
  try {
    return await withGateway(app, config, work)
  } catch (error) {
    if (!(error instanceof WaybillError) || error.code !== 'configuration') throw error
    return undefined
  }
}
