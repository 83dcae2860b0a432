import { AsyncLocalStorage } from 'node:async_hooks'
import { loadQueueRunner, type loadQueues } from '../packages.ts'

type Queue = ReturnType<Awaited<ReturnType<typeof loadQueues>>['registerInternalQueue']>

/** What the engine does of its own accord, every few milliseconds. */
interface Runner {
  pollQueue(executor: unknown, queue: Queue): Promise<boolean>
}

/** Looks into a queue beside those of the engine. */
export interface Looks {
  /** Has the queue looked into at once, for something was put there; does not wait for it. */
  look(): void
  /** Looks no more. */
  close(): Promise<void>
}

/**
 * Lets the queue be looked into as soon as it is known that something is there.
 *
 * Never twice at one time, whoever wants to: each look takes as many as there is room for when it begins.
 */
export async function openLooks(queue: Queue): Promise<Looks> {
  const { wfQueueRunner } = await loadQueueRunner()
  const runner = wfQueueRunner as unknown as Runner
  const { pollQueue } = runner
  let looking: Promise<boolean> | undefined
  let lookAsEngine: (() => Promise<boolean>) | undefined
  runner.pollQueue = (executor, asked) => {
    if (asked.name !== queue.name) return pollQueue.call(runner, executor, asked)
    // Where the engine looks, no attempt is under way, and what fails is tried again until the engine ends.
    const among = AsyncLocalStorage.snapshot()
    lookAsEngine = () => {
      looking ??= among(() => pollQueue.call(runner, executor, queue)).finally(() => {
        looking = undefined
      })
      return looking
    }
    return lookAsEngine()
  }
  let next: Promise<unknown> | undefined
  let isClosed = false
  const lookNext = async () => {
    // The look that is under way may have begun too early.
    await looking?.catch(() => {})
    next = undefined
    if (!isClosed) await lookAsEngine?.()
  }
  return {
    look: () => {
      // What a look fails for, the engine's next one fails for as well, and tells.
      next ??= lookNext().catch(() => {})
    },
    close: async () => {
      isClosed = true
      await next
      await looking?.catch(() => {})
      runner.pollQueue = pollQueue
    },
  }
}
