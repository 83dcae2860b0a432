import { asWaybillError, endRests, type Pool } from '../../store/index.ts'
import { loadDurable, loadExecutor, loadQueues } from '../packages.ts'
import { openQueuePoller } from './queue-poller.ts'

/** One attempt at a task, as the queue knows it. */
export interface Attempt {
  readonly tenant: string
  readonly mission: string
  readonly task: string
  readonly attempt: number
}

/** An attempt that somebody began and has not ended, under the name that the queue has for it. */
export interface Begun extends Attempt {
  readonly name: string
}

/** The durable queue of attempts, as one worker has it: the only place that knows the engine. */
export interface Durable {
  /** Attempts that a worker, dead or alive, has taken from the queue and not ended. */
  begun(worker: string): Promise<readonly Begun[]>
  /** Takes attempts out of the hands of workers that are gone. */
  giveUp(names: readonly string[]): Promise<void>
  /** Queues attempts whose rest is over, whatever the clock of this process says. */
  endRests(): Promise<void>
  /** Asks the queue from now on, whatever the time of day was when it was asked last: the engine sleeps until a time of day. */
  askAnew(): Promise<void>
  /** Asks the queue at once: something may have been put there. It is asked so whenever an attempt has ended. */
  look(): void
  /** Takes nothing new from the queue from now on, waits for what runs, if not for ever, and ends. */
  close(): Promise<void>
}

/** How the queue is opened. */
export interface DurableOptions {
  /** Connections that work in the role of the queue; the engine's own would ask two things of one at once. */
  readonly pool: Pool
  /** A UUID. */
  readonly worker: string
  /** How many attempts run at once. */
  readonly concurrency: number
  /** Does one attempt; never fails, for nobody would do it again. */
  run(attempt: Attempt): Promise<void>
}

const QUEUE = 'tasks'
const WORKFLOW = 'task'
/** Workers of one major version take over from each other. */
const VERSION = 'waybill-1'
/** How often the queue is asked for more where much happens, in milliseconds. */
const POLL = 20
/** The engine asks for an address of a form that not all have, and connects to none where it is given connections. */
const UNUSED = 'postgres://queue@pool/waybill'
/** For how long a worker that leaves waits for what it does to end, in milliseconds. */
const FAREWELL = 30_000

/** Opens the queue and begins to take attempts from it; one for each process. */
export async function openDurable(options: DurableOptions): Promise<Durable> {
  const { pool, worker, concurrency, run } = options
  const { DBOS } = await loadDurable()
  DBOS.setConfig({
    name: 'waybill',
    systemDatabaseUrl: UNUSED,
    systemDatabasePool: pool,
    applicationVersion: VERSION,
    executorID: worker,
    // What goes wrong is told by the worker; standard output is for results alone.
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
    askAnew: () => {
      asking = asking.then(askAnew)
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

/** What is registered in the database holds for all workers: each would do as many at once as the one that came last. */
async function registerQueue(workerConcurrency: number) {
  const { registerInternalQueue } = await loadQueues()
  const queue = registerInternalQueue(QUEUE, { minPollingIntervalMs: POLL, workerConcurrency })
  // A process that has left may come again, and finds the queue as it was.
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

/** Ends what of the engine asks the queue, and begins it again; attempts that run are not touched. */
async function askAnew(): Promise<void> {
  const { DBOSExecutor } = await loadExecutor()
  const executor = DBOSExecutor.globalInstance
  // One that is closed asks nothing any more.
  if (!executor?.initialized) return
  await executor.deactivateEventReceivers()
  await executor.stopWorkflowTimeoutSweep()
  await executor.initEventReceivers(null)
}

const ignore = () => {}
const SILENT = { info: ignore, debug: ignore, warn: ignore, error: ignore }
