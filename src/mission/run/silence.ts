import { setTimeout as pause } from 'node:timers/promises'
import { RENEWAL } from './watch.ts'

/** For how long a worker that leaves waits for a database that does not answer, in milliseconds. */
const SILENCE = 3_000

/** Whether the database is silent before something has ended; `heardAt` is when it answered last, as `performance.now()` counts. */
export async function isSilentBefore(
  end: Promise<void> | undefined,
  heardAt: () => number,
): Promise<boolean> {
  const begun = performance.now()
  let hasEnded = false
  const ending = Promise.resolve(end).finally(() => {
    hasEnded = true
  })
  for (;;) {
    await Promise.race([ending, pause(RENEWAL)])
    if (hasEnded) return false
    if (performance.now() - Math.max(begun, heardAt()) < SILENCE) continue
    // Nobody waits for it any more.
    ending.catch(() => {})
    return true
  }
}
