/** How many steps it takes a caller at most from an answer to the next question, if it waits for nothing else. */
const STEPS = 20
/** For how many milliseconds everything else in the process waits at most. */
const LONGEST = 20

/** Lets others go on between two pieces of work. */
export class TurnOfEvents {
  #last = performance.now()

  /**
   * Lets everybody go on who has just been answered, so that what they ask next is done together; now and then timers
   * and the network as well, which takes longer.
   */
  async goOn(): Promise<void> {
    for (let step = 0; step < STEPS; step++) await undefined
    if (performance.now() - this.#last < LONGEST) return
    await new Promise(resolve => setImmediate(resolve))
    this.#last = performance.now()
  }
}
