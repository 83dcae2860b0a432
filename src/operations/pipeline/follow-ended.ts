import { spelled } from '../../contract/index.ts'
import { logHere, readTrust } from '../../governance/index.ts'
import { pipelineOf } from '../../mission/index.ts'
import { readArtifact, type Store } from '../../store/index.ts'
import { loadConfig } from '../../workspace/index.ts'
import { storageOf } from '../log/storage.ts'
import type { App } from '../operation.ts'
import { pipelineKeeper } from './keeper.ts'

/**
 * Updates the orchestration file of an ended mission, which no worker may do. A failure is only reported: the mission has
 * ended anyway.
 */
export async function followEnded(
  { tenant, mission }: { readonly tenant: string; readonly mission: string },
  store: Store,
  app: App,
): Promise<void> {
  try {
    const read = store.tenant(tenant, tx => readArtifact(tx, 'mission_envelope', mission, mission))
    const envelope = (await read)?.payload
    const pipeline = envelope && pipelineOf(envelope)
    if (!pipeline) return
    const config = await loadConfig(app.root)
    const own = await logHere(app.root, readTrust(config), storageOf(app, config))
    const appNow = () => ({ ...app, now: app.clock?.() ?? app.now })
    if (own !== undefined) await pipelineKeeper(own, appNow).follow(pipeline, store)
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error)
    app.tell?.(spelled(`could not record the end of the mission in its orchestration file: ${why}`))
  }
}
