import { WaybillError } from '../../error.ts'
import { type KeyChange, recordKeyChanges } from '../../governance/index.ts'
import { loadConfig } from '../../workspace/index.ts'
import { withGateway } from '../gateway/open.ts'
import type { App } from '../operation.ts'

/**
 * Records what became of keys; with the keys that count afterwards.
 *
 * Where the gateway or its log is left without one, nothing can be recorded: the change itself stands in the committed
 * configuration all the same.
 */
export async function recordChanges(changes: readonly KeyChange[], app: App): Promise<void> {
  const config = await loadConfig(app.root)
  try {
    await withGateway(app, config, gateway => recordKeyChanges(gateway, changes))
  } catch (error) {
    if (!(error instanceof WaybillError) || error.code !== 'configuration') throw error
  }
}
