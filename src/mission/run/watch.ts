import type { KnownWorker } from '../../store/index.ts'

/** A worker that has not renewed its lease for this long, in milliseconds, is dead. */
export const LEASE = 3_000
/** The renewal interval, in milliseconds. */
export const RENEWAL = 500
/** A slower reading, in milliseconds, says nothing: the database or this process was suspended. */
const LOOK = 1_500

/** The last seen lease of a worker, and since when it is unchanged by the local clock. */
interface Seen {
  readonly renewed: string
  readonly since: number
}

/**
 * Finds dead workers: those whose lease is unchanged for its whole time, by both the database clock and the local
 * clock, while it was observed. After an outage or a suspension every worker gets a full lease again.
 */
export class DeathWatch {
  private readonly seen = new Map<string, Seen>()
  private looked = Number.NEGATIVE_INFINITY

  /** Evaluates one reading of all workers; `begun` and `now` are its start and end by `performance.now()`. */
  look(workers: readonly KnownWorker[], begun: number, now: number): readonly KnownWorker[] {
    const isGap = now - begun > LOOK || begun - this.looked > LOOK
    if (isGap) this.seen.clear()
    this.looked = now
    const there = new Set(workers.map(({ worker }) => worker))
    for (const worker of this.seen.keys()) if (!there.has(worker)) this.seen.delete(worker)
    return workers.filter(({ worker, renewed, age }) => {
      const before = this.seen.get(worker)
      if (before?.renewed !== renewed) {
        this.seen.set(worker, { renewed, since: now })
        return false
      }
      // A negative age means that the database clock was set back.
      const isOld = age > LEASE || age < 0
      return isOld && now - before.since > LEASE
    })
  }
}

/** The tolerated clock change, in milliseconds. */
const LITTLE = 1_000

/** Detects that the system clock was set back since the last call. */
export class SetBack {
  private apart = timeApart()

  look(): boolean {
    const before = this.apart
    this.apart = timeApart()
    return this.apart < before - LITTLE
  }
}

/** The offset of the system clock from the monotonic clock. */
function timeApart(): number {
  return Date.now() - performance.now()
}
