/** Yields to other work and throws when aborted; long computations call it repeatedly. */
export type Pause = () => Promise<void>

/** The longest time without yielding, in milliseconds. */
const LONGEST = 50

/** Returns a pause that yields only if enough time has passed. */
export function pausesFor(signal: AbortSignal | undefined): Pause {
  let last = performance.now()
  return async () => {
    signal?.throwIfAborted()
    if (performance.now() - last < LONGEST) return
    await new Promise(resolve => setImmediate(resolve))
    last = performance.now()
  }
}
