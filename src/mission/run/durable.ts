import { asWaybillError, endRests, type Pool } from '../../store/index.ts'
import { loadDurable, loadExecutor, loadQueues } from '../packages.ts'
import { openQueuePoller } from './queue-poller.ts'

/** One attempt at a task, as queued. */
export interface Attempt {
  readonly tenant: string
  readonly mission: string
  readonly task: string
  readonly attempt: number
}

/** An unfinished attempt, with its workflow name. */
export interface Begun extends Attempt {
  readonly name: string
}

/** The durable queue of one worker; only this module uses the engine. */
export interface Durable {
  /** Unfinished attempts that a worker, dead or alive, took from the queue. */
  begun(worker: string): Promise<readonly Begun[]>
  /** Takes attempts away from dead workers. */
  giveUp(names: readonly string[]): Promise<void>
  /** Queues attempts whose delay has passed by the database clock. */
  endRests(): Promise<void>
  /** Restarts polling after the system clock was set back: the engine sleeps until a time of day. */
  restartPolling(): Promise<void>
  /** Polls the queue now. This also happens after every attempt. */
  look(): void
  /** Stops polling, waits a limited time for running attempts, and closes the queue. */
  close(): Promise<void>
}

/** Options of the queue. */
export interface DurableOptions {
  /** A pool in the role of the queue; the engine's own would run concurrent queries on one connection. */
  readonly pool: Pool
  /** A UUID. */
  readonly worker: string
  /** The number of concurrent attempts. */
  readonly concurrency: number
  /** Runs one attempt. Must not fail, since the engine would not retry it. */
  run(attempt: Attempt): Promise<void>
}

const QUEUE = 'tasks'
const WORKFLOW = 'task'
/** Workers of one major version take over each other's tasks. */
const VERSION = 'waybill-1'
/** The polling interval under load, in milliseconds. */
const POLL = 20
/** A required but unused connection string: the engine uses the given pool. */
const UNUSED = 'postgres://queue@pool/waybill'
/** How long a closing worker waits for running attempts, in milliseconds. */
const FAREWELL = 30_000

/** Opens the queue and starts polling; once per process. */
export async function openDurable(options: DurableOptions): Promise<Durable> {
  const { pool, worker, concurrency, run } = options
  const { DBOS } = await loadDurable()
  DBOS.setConfig({
    name: 'waybill',
    systemDatabaseUrl: UNUSED,
    systemDatabasePool: pool,
    applicationVersion: VERSION,
    executorID: worker,
    // The worker reports errors; standard output is for results.
    logger: SILENT,
    runMigrations: false,
  })
  await registerWorkflow()
  const looks = await openQueuePoller(await registerQueue(concurrency), concurrency)
  onAttempt = async attempt => {
    await run(attempt)
    looks.free(DBOS.workflowID as string)
  }
  try {
    await DBOS.launch()
  } catch (error) {
    await looks.close()
    await leave(pool).catch(() => {})
    throw asWaybillError(error)
  }
  let asking = Promise.resolve()
  return {
    begun: async worker => {
      const found = await DBOS.listWorkflows({
        queueName: QUEUE,
        status: 'PENDING',
        executorId: worker,
        loadInput: true,
        loadOutput: false,
      })
      return found.map(({ workflowID, input = [] }) => {
        const [tenant, mission, task, attempt] = input as [string, string, string, number]
        return { name: workflowID, tenant, mission, task, attempt }
      })
    },
    giveUp: names => DBOS.cancelWorkflows([...names]),
    endRests: () => endRests(pool),
    restartPolling: () => {
      asking = asking.then(restartPolling)
      return asking
    },
    look: () => looks.look(),
    close: async () => {
      await asking.catch(() => {})
      await looks.close()
      await leave(pool)
    },
  }
}

let isRegistered = false
let onAttempt: (attempt: Attempt) => Promise<void> = async () => {}

/** The engine registers a workflow once for a process, which may open its queue several times, one after the other. */
async function registerWorkflow(): Promise<void> {
  if (isRegistered) return
  const { DBOS } = await loadDurable()
  DBOS.registerWorkflow(
    (tenant: string, mission: string, task: string, attempt: number) =>
      onAttempt({ tenant, mission, task, attempt }),
    { name: WORKFLOW },
  )
  isRegistered = true
}

/** Registers the queue in memory: a registration in the database would apply one worker's concurrency to all. */
async function registerQueue(workerConcurrency: number) {
  const { registerInternalQueue } = await loadQueues()
  const queue = registerInternalQueue(QUEUE, { minPollingIntervalMs: POLL, workerConcurrency })
  // The queue survives a previous registration in this process.
  queue.workerConcurrency = workerConcurrency
  return queue
}

async function leave(pool: Pool): Promise<void> {
  const { DBOS } = await loadDurable()
  try {
    await DBOS.shutdown({ workflowCompletionTimeoutMS: FAREWELL })
  } finally {
    await pool.end()
  }
}

/** Restarts the polling of the engine without touching running attempts. */
async function restartPolling(): Promise<void> {
  const { DBOSExecutor } = await loadExecutor()
  const executor = DBOSExecutor.globalInstance
  // A closed engine does not poll.
  if (!executor?.initialized) return
  await executor.deactivateEventReceivers()
  await executor.stopWorkflowTimeoutSweep()
  await executor.initEventReceivers(null)
}

const ignore = () => {}
const SILENT = { info: ignore, debug: ignore, warn: ignore, error: ignore }
