/** What Node loads before a worker whose engine looks into the queue once, when it begins, and never again by itself. */
import { loadQueueRunner } from '../src/mission/packages.ts'

interface Runner {
  adjustInterval(executor: unknown, state: { nextPollAt: number }, contention: boolean): void
}

const runner = (await loadQueueRunner()).wfQueueRunner as unknown as Runner
const { adjustInterval } = runner
runner.adjustInterval = (executor, state, contention) => {
  adjustInterval.call(runner, executor, state, contention)
  state.nextPollAt = Number.POSITIVE_INFINITY
}
