import type { Attempt, Begun } from './durable.ts'

/**
 * Tells what the queue says that a worker does, and it does not: its answer was lost on the way when the database went away.
 *
 * What is just being begun or ended looks like that as well, so it takes two looks one after the other.
 */
export class OrphanDetector {
  private before = new Set<string>()

  /** Takes in one look. */
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
