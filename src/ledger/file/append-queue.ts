import type { Draft, DraftMaker, Taken } from '../log.ts'
import type { Receipt } from '../receipt.ts'

/** How many entries one group commit takes at most. */
const MOST_ENTRIES = 4096
/** How many characters of content and bytes of leaves it takes at most. */
const MOST_BYTES = 16_000_000

/** Who waits for an answer to an append. */
interface Answering {
  readonly resolve: (answer: Receipt | Taken) => void
  readonly reject: (error: unknown) => void
}

interface Asked extends Answering {
  readonly make: DraftMaker
}

/** An append that can be written. */
export interface Ready extends Asked {
  readonly draft: Draft
}

interface Waiting extends Asked {
  /** Made of a time that counts only while nobody else can append. */
  draft: Draft | undefined
}

/** The appends that were asked for, in their order, which is that of their times as well. */
export class AppendQueue {
  #queue: Waiting[] = []

  get length(): number {
    return this.#queue.length
  }

  /** Takes an append; with a time, what is appended is made at once, and what goes wrong then is thrown. */
  add(make: DraftMaker, answering: Answering, time: number | undefined): void {
    const draft = time === undefined ? undefined : make(time)
    this.#queue.push({ make, draft, ...answering })
  }

  /** Makes all that waits, now that nobody else can append; gives how many were answered with what went wrong. */
  make(time: () => number): number {
    const before = this.#queue.length
    this.#queue = this.#queue.filter(waiting => {
      try {
        waiting.draft = waiting.make(time())
        return true
      } catch (error) {
        waiting.reject(error)
        return false
      }
    })
    return before - this.#queue.length
  }

  /** Forgets what was made: others may append before it. */
  unmake(): void {
    for (const waiting of this.#queue) waiting.draft = undefined
  }

  /** Gives as many from the front as one group commit takes; with a time, what is not made yet is made now. */
  takeBatch(time?: () => number): Ready[] {
    const batch: Ready[] = []
    let [bytes, taken] = [0, 0]
    for (const waiting of this.#queue) {
      const draft = waiting.draft ?? (time && made(waiting, time()))
      if (!draft && !time) break
      bytes += draft ? draft.leaf.length + draft.content.length : 0
      if (batch.length > 0 && (batch.length === MOST_ENTRIES || bytes > MOST_BYTES)) break
      taken++
      if (draft) batch.push({ ...waiting, draft })
    }
    this.#queue = this.#queue.slice(taken)
    return batch
  }

  /** Takes back at the front what was not written after all, to be made anew. */
  putBack(batch: readonly Ready[]): void {
    this.#queue.unshift(...batch.map(ready => ({ ...ready, draft: undefined })))
  }

  /** Gives all, to be told that nothing can be appended. */
  takeAll(): readonly Answering[] {
    const all = this.#queue
    this.#queue = []
    return all
  }
}

/** Makes what waits; what goes wrong is told to who asked. */
function made(waiting: Waiting, time: number): Draft | undefined {
  try {
    return waiting.make(time)
  } catch (error) {
    waiting.reject(error)
    return undefined
  }
}
