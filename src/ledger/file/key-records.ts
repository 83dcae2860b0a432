import { hash } from 'node:crypto'
import { HASH_SIZE } from '../hash.ts'
import { RECORD_SIZE, type RecordSets } from './key-run.ts'

/** The number of cached key hashes. */
const MOST_KNOWN = 512

/** Collects the records of entries. */
export class KeyRecords {
  readonly #sets = [new Growing(), new Growing()] as const
  readonly #hashes = new Map<string, string>()

  add(
    keys: { readonly unique: readonly string[]; readonly also: readonly string[] },
    index: number,
  ): void {
    for (const key of keys.unique) this.#sets[0].add(this.#hashOf(key), index)
    for (const key of keys.also) this.#sets[1].add(this.#hashOf(key), index)
  }

  /** Many entries share keys, such as their kind and their agents. */
  #hashOf(key: string): string {
    const known = this.#hashes.get(key)
    if (known !== undefined) return known
    if (this.#hashes.size === MOST_KNOWN) this.#hashes.clear()
    const found = hash('sha256', key, 'binary')
    this.#hashes.set(key, found)
    return found
  }

  sets(): RecordSets {
    return [this.#sets[0].bytes(), this.#sets[1].bytes()]
  }
}

class Growing {
  #bytes = Buffer.allocUnsafe(64 * RECORD_SIZE)
  #length = 0

  /** @param hash One character per byte. */
  add(hash: string, index: number): void {
    if (this.#length + RECORD_SIZE > this.#bytes.length)
      this.#bytes = Buffer.concat([this.#bytes, Buffer.allocUnsafe(this.#bytes.length)])
    this.#bytes.write(hash, this.#length, 'latin1')
    this.#bytes.writeDoubleLE(index, this.#length + HASH_SIZE)
    this.#length += RECORD_SIZE
  }

  bytes(): Buffer {
    return this.#bytes.subarray(0, this.#length)
  }
}
