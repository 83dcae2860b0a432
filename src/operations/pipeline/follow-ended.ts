import { spelled } from '../../contract/index.ts'
import { logHere, readTrust } from '../../governance/index.ts'
import { pipelineOf } from '../../mission/index.ts'
import { readArtifact, type Store } from '../../store/index.ts'
import { loadConfig } from '../../workspace/index.ts'
import { storageOf } from '../log/storage.ts'
import type { App } from '../operation.ts'
import { pipelineKeeper } from './keeper.ts'

/**
 * Lets the orchestration file of a mission, where it has one here, follow an end that no worker may have come to. That it
 * cannot is told: the mission has ended all the same.
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
    app.tell?.(spelled(`its orchestration file does not say that the mission has ended: ${why}`))
  }
}
