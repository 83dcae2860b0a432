import { isAway } from '../patience.ts'

/** Tells what goes wrong, and of a database that is away once, however many notice it. */
export class Outage {
  private readonly told: (problem: unknown) => void
  private isNoticed = false

  constructor(tell: (problem: unknown) => void) {
    this.told = tell
  }

  /** Tells a problem, unless it is that the database is away still. */
  readonly tell = (problem: unknown): void => {
    if (isAway(problem) && this.isNoticed) return
    this.isNoticed ||= isAway(problem)
    this.told(problem)
  }

  /** The database has answered. */
  end(): void {
    if (this.isNoticed) this.told('the database is back')
    this.isNoticed = false
  }
}
