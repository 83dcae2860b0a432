import type { Draft } from '../log.ts'

/** Entries that are promised but not yet in the tree, indexed by their keys. */
export class Pending {
  /** The index of the first entry; all others follow. */
  #first = 0
  readonly #drafts: Draft[] = []
  readonly #unique = new Map<string, number>()
  readonly #also = new Map<string, number[]>()
  /** The number of entries indexed by their other keys; the rest follows on the first lookup. */
  #listed = 0

  get size(): number {
    return this.#drafts.length
  }

  /** Adds entries after the existing ones. */
  add(first: number, drafts: readonly Draft[]): void {
    if (this.#drafts.length === 0) this.#first = first
    for (const [at, draft] of drafts.entries()) {
      this.#drafts.push(draft)
      for (const key of draft.keys.unique) this.#unique.set(key, first + at)
    }
  }

  draft(index: number): Draft | undefined {
    return this.#drafts[index - this.#first]
  }

  owner(key: string): number | undefined {
    return this.#unique.get(key)
  }

  find(key: string): readonly number[] {
    this.#list()
    const owner = this.#unique.get(key)
    const others = this.#also.get(key) ?? []
    return owner === undefined ? others : [owner, ...others]
  }

  #list(): void {
    for (; this.#listed < this.#drafts.length; this.#listed++) {
      for (const key of this.#drafts[this.#listed]?.keys.also ?? []) {
        const indices = this.#also.get(key)
        if (indices) indices.push(this.#first + this.#listed)
        else this.#also.set(key, [this.#first + this.#listed])
      }
    }
  }
}
