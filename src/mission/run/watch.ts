import type { KnownWorker } from '../../store/index.ts'

/** A worker that has not renewed its lease for so long, in milliseconds, is dead. */
export const LEASE = 3_000
/** How often a lease is renewed, in milliseconds. */
export const RENEWAL = 500
/** A look that took longer than this says nothing about others: the database was away, or we were. */
const LOOK = 1_500

/** What was last seen of a worker, and since when it has been the same, as this process counts. */
interface Seen {
  readonly renewed: string
  readonly since: number
}

/**
 * Tells which workers are dead: those whose row has not changed for the time of a lease, by the clock of the database and
 * by our own, while we looked at it all that time.
 *
 * After the database was away, or this process was, nobody's silence counts: everybody gets the time of a lease again.
 */
export class DeathWatch {
  private readonly seen = new Map<string, Seen>()
  private looked = Number.NEGATIVE_INFINITY

  /** Takes in one look at all workers, begun at a time and ended now, in milliseconds as `performance.now()` counts. */
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
      // What is yet to come was said before the clock of the database was set back.
      const isOld = age > LEASE || age < 0
      return isOld && now - before.since > LEASE
    })
  }
}

/** How far a clock may be set back before somebody is told, in milliseconds. */
const LITTLE = 1_000

/** Tells whether the time of day of this process was set back since it was asked last. */
export class SetBack {
  private apart = timeApart()

  look(): boolean {
    const before = this.apart
    this.apart = timeApart()
    return this.apart < before - LITTLE
  }
}

/** How far the time of day is from a clock that nobody sets. */
function timeApart(): number {
  return Date.now() - performance.now()
}
