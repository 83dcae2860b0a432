/** Lets others have their turn, and ends where that is asked for; long work does so again and again. */
export type Pause = () => Promise<void>

/** So long, in milliseconds, nobody else has a turn. */
const LONGEST = 50

/** Pauses that cost nothing where little time has passed since the last one. */
export function pausesFor(signal: AbortSignal | undefined): Pause {
  let last = performance.now()
  return async () => {
    signal?.throwIfAborted()
    if (performance.now() - last < LONGEST) return
    await new Promise(resolve => setImmediate(resolve))
    last = performance.now()
  }
}
