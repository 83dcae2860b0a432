import { type Change, type Json, type Path, withChange } from '../document/index.ts'

/** An edited copy of a document that records its changes. */
export class Draft {
  readonly changes: Change[] = []
  #value: unknown

  constructor(value: unknown) {
    this.#value = value
  }

  /** The value with the changes so far. */
  get value(): unknown {
    return this.#value
  }

  /** Returns the value at a path, or undefined. */
  at(path: Path): unknown {
    return path.reduce<unknown>((place, segment) => {
      if (typeof place !== 'object' || place === null || !Object.hasOwn(place, segment))
        return undefined
      return (place as Record<string | number, unknown>)[segment]
    }, this.#value)
  }

  /** Returns the list at a path, or an empty one. */
  list(path: Path): readonly unknown[] {
    const list = this.at(path)
    return Array.isArray(list) ? list : []
  }

  /** Sets a value unless it is unchanged. */
  set(path: Path, value: Json): void {
    if (this.at(path) === value) return
    const change = { path, value }
    this.changes.push(change)
    // A document is plain data.
    this.#value = withChange(this.#value as Json, change)
  }

  /** Sets a value only if the document has the key, even if null. */
  replace(path: Path, value: Json): void {
    if (this.at(path) !== undefined) this.set(path, value)
  }
}
