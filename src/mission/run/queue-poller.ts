import { AsyncLocalStorage } from 'node:async_hooks'
import { loadQueueRunner, type loadQueues } from '../packages.ts'

type Queue = ReturnType<Awaited<ReturnType<typeof loadQueues>>['registerInternalQueue']>

/** The engine's periodic polling. */
interface Runner {
  pollQueue(executor: Executor, queue: Queue): Promise<boolean>
}

interface Executor {
  readonly systemDatabase: {
    countRunningWorkflowsForQueue(queue: string): number
    checkForRunningWorkflow(name: string): boolean
  }
}

/** How long to poll at the engine's rate after an event, in milliseconds. */
const LIVELY = 1_000
/** The polling interval otherwise, in milliseconds: for delayed tasks and tasks of other workers. */
const RARELY = 100

/** Polls a queue in addition to the engine, and throttles the engine's polling. */
export interface QueuePoller {
  /** Polls now, without waiting for the result. */
  look(): void
  /** Frees the slot of a finished workflow before the engine records its end. */
  free(workflow: string): void
  /** Stops polling. */
  close(): Promise<void>
}

/**
 * Polls at once when a task may have been queued or a slot freed, rarely otherwise, and never without free slots. Polls
 * never overlap: each takes as many tasks as there are free slots when it begins.
 */
export async function openQueuePoller(queue: Queue, concurrency: number): Promise<QueuePoller> {
  const { wfQueueRunner } = await loadQueueRunner()
  const runner = wfQueueRunner as unknown as Runner
  const { pollQueue } = runner
  const places = new Places(queue, concurrency)
  let looking: Promise<boolean> | undefined
  let lookAsEngine: (() => Promise<boolean>) | undefined
  let lastEvent = Number.NEGATIVE_INFINITY
  let lastLook = Number.NEGATIVE_INFINITY
  const isDue = () => {
    const now = performance.now()
    return now - lastEvent < LIVELY || now - lastLook >= RARELY
  }
  runner.pollQueue = (executor, asked) => {
    if (asked.name !== queue.name) return pollQueue.call(runner, executor, asked)
    // Poll in the engine's async context, outside any attempt; it retries failures until it stops.
    const among = AsyncLocalStorage.snapshot()
    lookAsEngine = async () => {
      if (looking) return looking
      lastLook = performance.now()
      if (!places.open(executor)) return false
      looking = among(() => pollQueue.call(runner, executor, queue)).finally(() => {
        looking = undefined
      })
      return looking
    }
    // The result says whether another worker interfered.
    return isDue() ? lookAsEngine() : Promise.resolve(false)
  }
  let next: Promise<unknown> | undefined
  let isClosed = false
  const lookNext = async () => {
    // The current poll may have begun too early.
    await looking?.catch(() => {})
    next = undefined
    if (!isClosed) await lookAsEngine?.()
  }
  const look = () => {
    lastEvent = performance.now()
    // The engine's next poll meets and reports the same error.
    next ??= lookNext().catch(() => {})
  }
  return {
    look,
    free: workflow => {
      places.free(workflow)
      look()
    },
    close: async () => {
      isClosed = true
      await next
      await looking?.catch(() => {})
      runner.pollQueue = pollQueue
    },
  }
}

/** Counts free slots: the engine also counts workflows whose end it has yet to record. */
class Places {
  private readonly queue: Queue
  private readonly concurrency: number
  private readonly freed = new Set<string>()

  constructor(queue: Queue, concurrency: number) {
    this.queue = queue
    this.concurrency = concurrency
  }

  free(workflow: string): void {
    this.freed.add(workflow)
  }

  /** Sets the limit for the engine; false when no slot is free. */
  open({ systemDatabase }: Executor): boolean {
    for (const workflow of this.freed)
      if (!systemDatabase.checkForRunningWorkflow(workflow)) this.freed.delete(workflow)
    this.queue.workerConcurrency = this.concurrency + this.freed.size
    const counted = systemDatabase.countRunningWorkflowsForQueue(this.queue.name)
    return counted < this.queue.workerConcurrency
  }
}
