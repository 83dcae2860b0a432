import { type Change, type Json, type Path, withChange } from '../document/index.ts'

/** A document while changes are made to it, and the changes. */
export class Draft {
  readonly changes: Change[] = []
  #value: unknown

  constructor(value: unknown) {
    this.#value = value
  }

  /** As it is with the changes so far. */
  get value(): unknown {
    return this.#value
  }

  /** What stands at a place; `undefined` where nothing does. */
  at(path: Path): unknown {
    return path.reduce<unknown>((place, segment) => {
      if (typeof place !== 'object' || place === null || !Object.hasOwn(place, segment))
        return undefined
      return (place as Record<string | number, unknown>)[segment]
    }, this.#value)
  }

  /** The list at a place; an empty one where there is none. */
  list(path: Path): readonly unknown[] {
    const list = this.at(path)
    return Array.isArray(list) ? list : []
  }

  /** Sets a value, unless it is there already. */
  set(path: Path, value: Json): void {
    if (this.at(path) === value) return
    const change = { path, value }
    this.changes.push(change)
    // A document is plain data.
    this.#value = withChange(this.#value as Json, change)
  }

  /** Sets a value where the document has one, be it null. */
  replace(path: Path, value: Json): void {
    if (this.at(path) !== undefined) this.set(path, value)
  }
}
