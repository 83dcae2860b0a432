/** The most microtask steps a caller needs from an answer to the next request, without other waits. */
const STEPS = 20
/** The longest that other work in the process waits, in milliseconds. */
const LONGEST = 20

/** Yields to other work between two steps. */
export class TurnOfEvents {
  #last = performance.now()

  /**
   * Lets callers that were just answered run, so that their next requests are handled together; from time to time also
   * timers and the network, which takes longer.
   */
  async goOn(): Promise<void> {
    for (let step = 0; step < STEPS; step++) await undefined
    if (performance.now() - this.#last < LONGEST) return
    await new Promise(resolve => setImmediate(resolve))
    this.#last = performance.now()
  }
}
