import { setTimeout as pause } from 'node:timers/promises'
import { RENEWAL } from './watch.ts'

/** How long a closing worker waits for an unresponsive database, in milliseconds. */
const SILENCE = 3_000

/**
 * Reports whether the database is unresponsive before `end` settles; `heardAt` is the time of its last response by
 * `performance.now()`.
 */
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
    // The rejection is no longer handled elsewhere.
    ending.catch(() => {})
    return true
  }
}
