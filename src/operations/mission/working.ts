import { type DecisionContext, type Gateway, openDecisionContext } from '../../governance/index.ts'
import {
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

/** How many tasks a worker does at once, where nobody says. */
export const CONCURRENCY = 8

/** Everything that missions of a repository are worked on with. */
export interface Works {
  readonly app: App
  readonly config: Config
  readonly missions: Missions
  readonly store: Store
  /** The same, for those who tell themselves that the database does not answer. */
  readonly untold: Store
  readonly gateway: Gateway
  readonly decisionContext: DecisionContext
}

/** Opens database, gateway and configuration for a piece of work on missions, and closes them whatever comes of that. */
export async function withWorks<T>(app: App, work: (works: Works) => Promise<T>): Promise<T> {
  const config = await loadConfig(app.root)
  const missions = readMissions(config)
  return withStore(
    app,
    (store, untold) =>
      withGateway(app, config, async gateway => {
        // Workers do the tasks of everybody: with another repository's agents they would fail for good.
        await store.tenant(tenantOf({}), tx => claimDatabase(tx, gateway.origin))
        const decisionContext = await openDecisionContext(app.root, config, gateway)()
        return work({ app, config, missions, store, untold, gateway, decisionContext })
      }),
    { migrated: true },
  ).catch(async error => {
    // Its own package makes the queue: where that is missing, nothing that migrates helps.
    if (isUnmigrated(error)) await loadDurable()
    throw error
  })
}

/** How the worker of this process works. */
export interface Working {
  readonly concurrency?: number | undefined
  readonly onStep?: (step: Step) => void
}

/** The worker of this process, and the program around what is done beside it: told to end where the worker leaves. */
interface Beside {
  readonly worker: Worker
  readonly app: App & { readonly signal: AbortSignal }
}

/** What whoever leaves a mission that is not over is told. */
export const STAYS = 'the mission stays as it is: waybill mission work goes on with it'

/**
 * Does something beside the worker of this process, which is stopped then.
 *
 * @throws WaybillError where the worker had to leave before.
 */
export async function besideWorker(
  works: Works,
  working: Working,
  work: (beside: Beside) => Promise<void>,
): Promise<void> {
  const worker = await startWorking(works, working)
  const { app } = works
  const signal = AbortSignal.any([worker.left, ...(app.signal ? [app.signal] : [])])
  try {
    await work({ worker, app: { ...app, signal } })
    worker.left.throwIfAborted()
  } finally {
    await worker.stop()
  }
}

/** Starts the worker of this process. */
export function startWorking(
  { app, config, missions, untold: store, gateway }: Works,
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
