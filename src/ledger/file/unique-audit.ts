import { RECORD_SIZE } from './key-run.ts'

const INDEX_AT = 32

/** Finds unique keys that are taken twice; holds a hash prefix and the index for each key. */
export class UniqueAudit {
  #hashes = new BigUint64Array(1024)
  #indices = new Float64Array(1024)
  #length = 0

  /** Adds the unique-key records of the next entries. */
  add(records: Buffer): void {
    for (let at = 0; at < records.length; at += RECORD_SIZE) {
      if (this.#length === this.#hashes.length) this.#grow()
      this.#hashes[this.#length] = records.readBigUInt64LE(at)
      this.#indices[this.#length] = records.readDoubleLE(at + INDEX_AT)
      this.#length++
    }
  }

  /** Groups of entries, in log order, that may share a key: only a prefix of its hash was compared. */
  suspects(): readonly (readonly number[])[] {
    const sorted = this.#hashes.slice(0, this.#length).sort()
    const twice = new Map<bigint, number[]>()
    for (let at = 1; at < sorted.length; at++) {
      const hash = sorted[at]
      if (hash !== undefined && hash === sorted[at - 1]) twice.set(hash, [])
    }
    if (twice.size === 0) return []
    for (let at = 0; at < this.#length; at++)
      twice.get(this.#hashes[at] ?? 0n)?.push(this.#indices[at] ?? 0)
    return [...twice.values()]
  }

  #grow(): void {
    const [hashes, indices] = [this.#hashes, this.#indices]
    this.#hashes = new BigUint64Array(2 * hashes.length)
    this.#hashes.set(hashes)
    this.#indices = new Float64Array(2 * indices.length)
    this.#indices.set(indices)
  }
}
