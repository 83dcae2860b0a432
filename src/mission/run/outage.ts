import { isAway } from '../patience.ts'

/** Reports problems, and a database outage only once. */
export class Outage {
  private readonly report: (problem: unknown) => void
  private isNoticed = false

  constructor(tell: (problem: unknown) => void) {
    this.report = tell
  }

  /** Reports a problem, unless it is a continuing outage. */
  readonly tell = (problem: unknown): void => {
    if (isAway(problem) && this.isNoticed) return
    this.isNoticed ||= isAway(problem)
    this.report(problem)
  }

  /** Marks the end of an outage. */
  end(): void {
    if (this.isNoticed) this.report('the database is back')
    this.isNoticed = false
  }
}
