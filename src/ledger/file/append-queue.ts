import type { Draft, DraftMaker, Taken } from '../log.ts'
import type { Receipt } from '../receipt.ts'

/** The most entries in one group commit. */
const MOST_ENTRIES = 4096
/** The most characters of content and bytes of leaves in one group commit. */
const MOST_BYTES = 16_000_000

/** The callbacks of a pending append. */
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
  /** Whether it was built with a time that is valid only while no one else can append. */
  draft: Draft | undefined
}

/** Pending appends, in order of request and of time. */
export class AppendQueue {
  #queue: Waiting[] = []

  get length(): number {
    return this.#queue.length
  }

  /** Queues an append; with a time, builds the draft at once and throws its errors. */
  add(make: DraftMaker, answering: Answering, time: number | undefined): void {
    const draft = time === undefined ? undefined : make(time)
    this.#queue.push({ make, draft, ...answering })
  }

  /** Builds all waiting drafts, now that no one else can append; returns how many failed. */
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

  /** Discards built drafts: others may append first. */
  unmake(): void {
    for (const waiting of this.#queue) waiting.draft = undefined
  }

  /** Takes as many from the front as fit one group commit; with a time, builds the remaining drafts now. */
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

  /** Returns unwritten appends to the front, to be built again. */
  putBack(batch: readonly Ready[]): void {
    this.#queue.unshift(...batch.map(ready => ({ ...ready, draft: undefined })))
  }

  /** Takes all, to fail them. */
  takeAll(): readonly Answering[] {
    const all = this.#queue
    this.#queue = []
    return all
  }
}

/** Builds a waiting draft; an error goes to its caller. */
function made(waiting: Waiting, time: number): Draft | undefined {
  try {
    return waiting.make(time)
  } catch (error) {
    waiting.reject(error)
    return undefined
  }
}
