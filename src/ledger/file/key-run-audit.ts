import { crc32 } from 'node:zlib'
import { cannotRead, isMissing } from './fault.ts'
import { FileWindow } from './file-window.ts'
import {
  bitsFor,
  encodeHeader,
  HEADER_SIZE,
  inBuckets,
  type KeySet,
  RECORD_SIZE,
  SLOT_SIZE,
} from './key-run.ts'

/** One set of records in an index file, with the progress of comparing each bucket. */
interface SetAudit {
  readonly bits: number
  /** For each bucket its end and CRC-32, as stored. */
  readonly table: Buffer
  /** The offset of the records. */
  readonly start: number
  /** The compared records of each bucket. */
  readonly cursors: Uint32Array
  /** Records not yet compared, and their size in bytes. */
  readonly waiting: Buffer
  length: number
}

/** The number of record bytes compared in one pass through the file. */
const AT_ONCE = 131_072 * RECORD_SIZE

/**
 * Compares an index file with the keys of the entries, given in log order.
 *
 * Buckets are in log order too, so the next record of each bucket is known, and every byte of the file is compared.
 * Many records are compared at a time, so that the file is read sequentially and neither side is held in memory.
 */
export class RunAudit {
  readonly #file: FileWindow
  readonly #header: Buffer
  readonly #sets: readonly [SetAudit, SetAudit]
  /** Reuse one buffer: garbage would accumulate until collected. */
  readonly #sorted: Buffer
  #differs: boolean

  /** Opens a file; returns nothing if it no longer exists. */
  static open(file: string, from: number, to: number): RunAudit | undefined {
    let opened: FileWindow
    try {
      opened = new FileWindow(file)
    } catch (cause) {
      if (isMissing(cause)) return undefined
      throw cannotRead(file, cause)
    }
    return new RunAudit(opened, from, to)
  }

  private constructor(file: FileWindow, from: number, to: number) {
    const header = file.copy(0, HEADER_SIZE)
    const isWhole = header.length === HEADER_SIZE
    const counts = [
      isWhole ? header.readUInt32LE(24) : 0,
      isWhole ? header.readUInt32LE(28) : 0,
    ] as const
    const [one, other] = [tableSize(counts[0]), tableSize(counts[1])]
    const start = HEADER_SIZE + one + other
    const end = start + (counts[0] + counts[1]) * RECORD_SIZE
    this.#file = file
    this.#header = encodeHeader(from, to, counts)
    this.#differs = end !== file.size || !this.#header.equals(header)
    // Do not compare a file whose length differs from its header.
    const tables = this.#differs ? Buffer.alloc(one + other) : file.copy(HEADER_SIZE, one + other)
    this.#sets = [
      auditOf(tables.subarray(0, one), start, counts[0]),
      auditOf(tables.subarray(one), start + counts[0] * RECORD_SIZE, counts[1]),
    ]
    this.#sorted = Buffer.allocUnsafeSlow(
      Math.max(...this.#sets.map(({ waiting }) => waiting.length)),
    )
  }

  /** Compares the records of the next entries. */
  add(set: KeySet, records: Buffer): void {
    if (this.#differs) return
    const one = this.#sets[set]
    for (let at = 0; at < records.length; ) {
      const copied = records.copy(one.waiting, one.length, at)
      at += copied
      one.length += copied
      if (one.length === one.waiting.length) this.#compare(one)
    }
  }

  /** Whether the file matches exactly the entries that were given. */
  isSame(): boolean {
    for (const set of this.#sets) this.#compare(set)
    return !this.#differs && this.#sets.every(set => this.#isWhole(set))
  }

  close(): void {
    this.#file.close()
  }

  #compare(set: SetAudit): void {
    const { bits, table, start, cursors, waiting } = set
    const { starts, records } = inBuckets(waiting.subarray(0, set.length), bits, this.#sorted)
    set.length = 0
    for (const [bucket, cursor] of cursors.entries()) {
      const [from = 0, to = 0] = [starts[bucket], starts[bucket + 1]]
      if (from === to || this.#differs) continue
      const next = cursor + to - from
      const place = start + cursor * RECORD_SIZE
      this.#differs =
        next > table.readUInt32LE(bucket * SLOT_SIZE) ||
        !this.#file.holds(place, records, from * RECORD_SIZE, to * RECORD_SIZE)
      cursors[bucket] = next
    }
  }

  #isWhole({ table, start, cursors }: SetAudit): boolean {
    let place = start
    for (const [bucket, cursor] of cursors.entries()) {
      const end = start + cursor * RECORD_SIZE
      if (table.readUInt32LE(bucket * SLOT_SIZE) !== cursor) return false
      if (table.readUInt32LE(bucket * SLOT_SIZE + 4) !== this.#checksum(place, end)) return false
      place = end
    }
    return true
  }

  #checksum(from: number, to: number): number {
    let sum = 0
    for (let at = from; at < to; ) {
      const bytes = this.#file.from(at).subarray(0, to - at)
      if (bytes.length === 0) return -1
      sum = crc32(bytes, sum)
      at += bytes.length
    }
    return sum
  }
}

const tableSize = (count: number): number => 2 ** bitsFor(count) * SLOT_SIZE

function auditOf(table: Buffer, start: number, count: number): SetAudit {
  const cursors = new Uint32Array(table.length / SLOT_SIZE)
  // A bucket starts where the previous one ends.
  for (let bucket = 1; bucket < cursors.length; bucket++)
    cursors[bucket] = table.readUInt32LE((bucket - 1) * SLOT_SIZE)
  const waiting = Buffer.allocUnsafeSlow(Math.min(AT_ONCE, Math.max(1, count) * RECORD_SIZE))
  return { bits: Math.log2(cursors.length), table, start, cursors, waiting, length: 0 }
}
