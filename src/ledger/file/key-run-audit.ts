import { readFileSync } from 'node:fs'
import { crc32 } from 'node:zlib'
import { cannotRead, isMissing } from './fault.ts'
import {
  bitsFor,
  bucketOf,
  encodeHeader,
  HEADER_SIZE,
  type KeySet,
  RECORD_SIZE,
  SLOT_SIZE,
} from './key-run.ts'

/** One set of records in a file of the index, with how far each of its buckets has been compared. */
interface SetAudit {
  readonly bits: number
  readonly table: number
  readonly records: number
  readonly count: number
  /** Up to which record each bucket has been compared. */
  readonly cursors: Uint32Array
}

/**
 * Compares a file of the index of keys with the keys of the entries themselves, which are given in the order of the log.
 *
 * Each bucket has its records in that order too, so that the next one of a bucket is always known; with that every byte
 * of the file is compared, and nothing beyond the file is held.
 */
export class RunAudit {
  readonly #bytes: Buffer
  readonly #header: Buffer
  readonly #sets: readonly [SetAudit, SetAudit]
  #differs = false

  /** Opens a file; gives nothing where there is none any more. */
  static open(file: string, from: number, to: number): RunAudit | undefined {
    try {
      return new RunAudit(readFileSync(file), from, to)
    } catch (cause) {
      if (isMissing(cause)) return undefined
      throw cannotRead(file, cause)
    }
  }

  private constructor(bytes: Buffer, from: number, to: number) {
    const isWhole = bytes.length >= HEADER_SIZE
    const counts = [
      isWhole ? bytes.readUInt32LE(24) : 0,
      isWhole ? bytes.readUInt32LE(28) : 0,
    ] as const
    const tables = counts.map(count => 2 ** bitsFor(count) * SLOT_SIZE)
    const start = HEADER_SIZE + (tables[0] ?? 0) + (tables[1] ?? 0)
    const end = start + (counts[0] + counts[1]) * RECORD_SIZE
    this.#bytes = bytes
    this.#header = encodeHeader(from, to, counts)
    this.#differs = end !== bytes.length
    // Of a file that is not as long as it says nothing is compared.
    const [one, other] = this.#differs ? [0, 0] : counts
    this.#sets = [
      auditOf(bytes, HEADER_SIZE, start, one),
      auditOf(bytes, HEADER_SIZE + (tables[0] ?? 0), start + one * RECORD_SIZE, other),
    ]
  }

  /** Compares the records of the next entries. */
  add(set: KeySet, records: Buffer): void {
    if (this.#differs) return
    const { bits, table, cursors, records: start } = this.#sets[set]
    for (let at = 0; at < records.length; at += RECORD_SIZE) {
      const bucket = bucketOf(records, at, bits)
      const cursor = cursors[bucket] ?? 0
      const place = start + cursor * RECORD_SIZE
      const isIn = cursor < this.#bytes.readUInt32LE(table + bucket * SLOT_SIZE)
      if (!isIn || this.#bytes.compare(records, at, at + RECORD_SIZE, place, place + RECORD_SIZE)) {
        this.#differs = true
        return
      }
      cursors[bucket] = cursor + 1
    }
  }

  /** Whether the file is exactly what was to be written for the entries that were given. */
  isSame(): boolean {
    return (
      !this.#differs &&
      this.#header.equals(this.#bytes.subarray(0, HEADER_SIZE)) &&
      this.#sets.every(set => this.#isWhole(set))
    )
  }

  #isWhole({ table, records, cursors }: SetAudit): boolean {
    let start = 0
    for (const [bucket, cursor] of cursors.entries()) {
      const slot = table + bucket * SLOT_SIZE
      const bytes = this.#bytes.subarray(
        records + start * RECORD_SIZE,
        records + cursor * RECORD_SIZE,
      )
      if (this.#bytes.readUInt32LE(slot) !== cursor) return false
      if (this.#bytes.readUInt32LE(slot + 4) !== crc32(bytes)) return false
      start = cursor
    }
    return true
  }
}

function auditOf(bytes: Buffer, table: number, records: number, count: number): SetAudit {
  const bits = bitsFor(count)
  const cursors = new Uint32Array(2 ** bits)
  // A bucket begins where the one before it ends.
  for (let bucket = 1; bucket < cursors.length; bucket++)
    cursors[bucket] = bytes.readUInt32LE(table + (bucket - 1) * SLOT_SIZE)
  return { bits, table, records, count, cursors }
}
