import { WaybillError } from '../../error.ts'
import { type KeyChange, recordKeyChanges } from '../../governance/index.ts'
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
  const config = await loadConfig(app.root)
  try {
    return await withGateway(app, config, async gateway => {
      await recordKeyChanges(gateway, changes)
      return gateway.time()
    })
  } catch (error) {
    if (!(error instanceof WaybillError) || error.code !== 'configuration') throw error
    return undefined
  }
}
