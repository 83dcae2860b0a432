import { RECORD_SIZE } from './key-run.ts'

const INDEX_AT = 32

/** Finds out whether keys that may be taken once are taken twice: of each key the beginning of its hash is held, and the index. */
export class UniqueAudit {
  #hashes = new BigUint64Array(1024)
  #indices = new Float64Array(1024)
  #length = 0

  /** Takes the records of unique keys of the next entries. */
  add(records: Buffer): void {
    for (let at = 0; at < records.length; at += RECORD_SIZE) {
      if (this.#length === this.#hashes.length) this.#grow()
      this.#hashes[this.#length] = records.readBigUInt64LE(at)
      this.#indices[this.#length] = records.readDoubleLE(at + INDEX_AT)
      this.#length++
    }
  }

  /** Groups of entries, in the order of the log, that may have taken the same key: only a part of its hash was compared. */
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
