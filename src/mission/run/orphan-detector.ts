import type { Attempt, Begun } from './durable.ts'

/**
 * Finds attempts that the queue assigns to a worker that is not running them, because the response was lost in a
 * database outage. Requires two consecutive sightings, since attempts that are starting or ending look the same.
 */
export class OrphanDetector {
  private before = new Set<string>()

  /** Compares one reading of the queue with the running attempts. */
  look(begun: readonly Begun[], does: readonly Attempt[]): readonly Begun[] {
    const done = new Set(does.map(keyOf))
    const found = begun.filter(attempt => !done.has(keyOf(attempt)))
    const strays = found.filter(({ name }) => this.before.has(name))
    this.before = new Set(found.map(({ name }) => name))
    return strays
  }
}

function keyOf({ tenant, mission, task, attempt }: Attempt): string {
  return JSON.stringify([tenant, mission, task, attempt])
}
