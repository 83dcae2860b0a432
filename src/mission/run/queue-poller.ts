import { AsyncLocalStorage } from 'node:async_hooks'
import { loadQueueRunner, type loadQueues } from '../packages.ts'

type Queue = ReturnType<Awaited<ReturnType<typeof loadQueues>>['registerInternalQueue']>

/** What the engine does of its own accord, every few milliseconds. */
interface Runner {
  pollQueue(executor: Executor, queue: Queue): Promise<boolean>
}

interface Executor {
  readonly systemDatabase: {
    countRunningWorkflowsForQueue(queue: string): number
    checkForRunningWorkflow(name: string): boolean
  }
}

/** For how long after it was told of something a queue is looked into as often as the engine wants to, in milliseconds. */
const LIVELY = 1_000
/** How often otherwise, in milliseconds: for what nobody told of, as a rest that is over or the task of another worker. */
const RARELY = 100

/** Looks into a queue beside those of the engine, and in place of some of them. */
export interface QueuePoller {
  /** Has the queue looked into at once, for something may have been put there; does not wait for it. */
  look(): void
  /** Tells that the work of a workflow is done: its place is free, though the engine has still to note its end. */
  free(workflow: string): void
  /** Looks no more. */
  close(): Promise<void>
}

/**
 * Lets the queue be looked into as soon as it is known that something is there or a place is free, seldom while nobody tells
 * of anything, and never while there is no room.
 *
 * Never twice at one time, whoever wants to: each look takes as many as there is room for when it begins.
 */
export async function openQueuePoller(queue: Queue, concurrency: number): Promise<QueuePoller> {
  const { wfQueueRunner } = await loadQueueRunner()
  const runner = wfQueueRunner as unknown as Runner
  const { pollQueue } = runner
  const places = new Places(queue, concurrency)
  let looking: Promise<boolean> | undefined
  let lookAsEngine: (() => Promise<boolean>) | undefined
  let lastTold = Number.NEGATIVE_INFINITY
  let lastLook = Number.NEGATIVE_INFINITY
  const isDue = () => {
    const now = performance.now()
    return now - lastTold < LIVELY || now - lastLook >= RARELY
  }
  runner.pollQueue = (executor, asked) => {
    if (asked.name !== queue.name) return pollQueue.call(runner, executor, asked)
    // Where the engine looks, no attempt is under way, and what fails is tried again until the engine ends.
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
    // What it answers is whether somebody else stood in the way.
    return isDue() ? lookAsEngine() : Promise.resolve(false)
  }
  let next: Promise<unknown> | undefined
  let isClosed = false
  const lookNext = async () => {
    // The look that is under way may have begun too early.
    await looking?.catch(() => {})
    next = undefined
    if (!isClosed) await lookAsEngine?.()
  }
  const look = () => {
    lastTold = performance.now()
    // What a look fails for, the engine's next one fails for as well, and tells.
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

/** How many of a queue are worked at: the engine counts those as well whose end it only has to note. */
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

  /** Lets the engine take as many as there is room for; false where there is none. */
  open({ systemDatabase }: Executor): boolean {
    for (const workflow of this.freed)
      if (!systemDatabase.checkForRunningWorkflow(workflow)) this.freed.delete(workflow)
    this.queue.workerConcurrency = this.concurrency + this.freed.size
    const counted = systemDatabase.countRunningWorkflowsForQueue(this.queue.name)
    return counted < this.queue.workerConcurrency
  }
}
