import { type DecisionContext, type Gateway, openDecisionContext } from '../../governance/index.ts'
import {
  isAway,
  loadDurable,
  type Missions,
  openWorkerContext,
  readMissions,
  type Step,
  startWorker,
  type Worker,
} from '../../mission/index.ts'
import { claimDatabase, isUnmigrated, type Store } from '../../store/index.ts'
import { type Config, loadConfig } from '../../workspace/index.ts'
import { withGateway } from '../gateway/open.ts'
import type { App } from '../operation.ts'
import { pipelineKeeper } from '../pipeline/keeper.ts'
import { environmentFor } from './environment.ts'
import { withStore } from './open.ts'
import { tenantOf } from './tenant.ts'

/** How many tasks a worker runs at once by default. */
export const CONCURRENCY = 8

/** What the missions of a repository need to run. */
export interface Works {
  readonly app: App
  readonly config: Config
  readonly missions: Missions
  readonly store: Store
  /** The same store without waiting messages, for callers that report an unreachable database themselves. */
  readonly quietStore: Store
  readonly gateway: Gateway
  readonly decisionContext: DecisionContext
}

/** Opens the database, gateway and configuration for `work`, and closes them afterwards. */
export async function withWorks<T>(app: App, work: (works: Works) => Promise<T>): Promise<T> {
  const config = await loadConfig(app.root)
  const missions = readMissions(config)
  return withStore(
    app,
    (store, quietStore) =>
      withGateway(app, config, async gateway => {
        // Workers run every queued task, and would fail those of another repository.
        await store.tenant(tenantOf({}), tx => claimDatabase(tx, gateway.origin))
        const decisionContext = await openDecisionContext(app.root, config, gateway)()
        return work({ app, config, missions, store, quietStore, gateway, decisionContext })
      }),
    { migrated: true },
  ).catch(async error => {
    // The queue comes from an optional package: report that it is missing rather than a migration error.
    if (isUnmigrated(error)) await loadDurable()
    throw error
  })
}

/** Options of the worker of this process. */
export interface Working {
  readonly concurrency?: number | undefined
  readonly onStep?: (step: Step) => void
}

/** A running worker, and an app whose signal aborts when the worker stops. */
interface RunningWorker {
  readonly worker: Worker
  readonly app: App & { readonly signal: AbortSignal }
}

/** Printed when the user leaves a mission that is still running. */
export const STAYS = 'the mission is still running: waybill mission work continues it'

/**
 * Runs `work` with a worker in this process, and stops the worker afterwards.
 *
 * @throws {WaybillError} when the worker had to stop early.
 */
export async function withWorker(
  works: Works,
  working: Working,
  work: (running: RunningWorker) => Promise<void>,
): Promise<void> {
  const { app } = works
  const worker = await startWorking(works, working).catch(error => {
    // The caller who left does not wait for the database.
    throw app.signal?.aborted && isAway(error) ? app.signal.reason : error
  })
  const signal = AbortSignal.any([worker.left, ...(app.signal ? [app.signal] : [])])
  try {
    await work({ worker, app: { ...app, signal } })
    worker.left.throwIfAborted()
  } finally {
    await worker.stop()
  }
}

/** Starts a worker in this process. */
export function startWorking(
  { app, config, missions, quietStore: store, gateway }: Works,
  { concurrency = CONCURRENCY, onStep }: Working,
): Promise<Worker> {
  const environment = environmentFor(missions, app)
  const pipelines = pipelineKeeper(gateway.origin, () => ({ ...app, now: gateway.time() }))
  const shop = openWorkerContext({ root: app.root, config, store, gateway, environment, pipelines })
  return startWorker({
    shop: { ...shop, ...(onStep && { onStep }) },
    concurrency,
    tell: problem =>
      app.tell?.(`worker: ${problem instanceof Error ? problem.message : String(problem)}`),
  })
}
