import { closeSync, fstatSync, readSync } from 'node:fs'
import { crc32 } from 'node:zlib'
import { HASH_SIZE } from '../hash.ts'
import { openRegular } from './regular.ts'
import { digestOf } from './sha256.ts'

/** A key of an entry: its SHA-256, then the index as a double, little-endian. */
export const RECORD_SIZE = 40
/** The lengths of a run's header and of a table slot, in bytes. */
export const HEADER_SIZE = 64
export const SLOT_SIZE = 8
const MARK = 0x31_4b_42_57
/** The most records in a bucket, on average. */
const CROWD = 16
const MOST_BITS = 16
/** After this many lookups a run of at most this many bytes is read at once, whole or only its unique keys. */
const OFTEN = 16
const SMALL = 4_000_000
const SMALL_ENOUGH = 16_000_000

/** The records of a range of the log: unique keys, and the others. */
export type RecordSets = readonly [unique: Buffer, also: Buffer]

/** One of the two sets of records. */
export type KeySet = 0 | 1

/** The form in which a key is stored. */
export function keyHash(key: string): Buffer {
  return digestOf(key)
}

/**
 * Encodes the records of a range so that a key is found with two short reads.
 *
 * A header, then for each set a table with a slot per bucket (its end and CRC-32), then the records, bucket by bucket:
 * a bucket has those whose hash starts with the same bits, in log order.
 */
export function encodeRun(from: number, to: number, sets: RecordSets): Buffer {
  const parts = sets.map(set => bucketed(set, bitsFor(set.length / RECORD_SIZE)))
  return Buffer.concat([
    encodeHeader(from, to, [sets[0].length / RECORD_SIZE, sets[1].length / RECORD_SIZE]),
    ...parts.map(({ table }) => table),
    ...parts.map(({ records }) => records),
  ])
}

/** Encodes the header of a run: its range, and the number of records in each set. */
export function encodeHeader(from: number, to: number, counts: readonly [number, number]): Buffer {
  const header = Buffer.alloc(HEADER_SIZE)
  header.writeUInt32LE(MARK, 0)
  header.writeDoubleLE(from, 8)
  header.writeDoubleLE(to, 16)
  for (const [i, count] of counts.entries()) header.writeUInt32LE(count, 24 + 4 * i)
  header.writeUInt32LE(crc32(header.subarray(8)), 4)
  return header
}

/** The number of hash bits that select a bucket, for so many records. */
export function bitsFor(count: number): number {
  return Math.min(MOST_BITS, Math.max(0, Math.ceil(Math.log2(Math.max(1, count) / CROWD))))
}

/** The bucket of a record. */
function bucketOf(bytes: Buffer, at: number, bits: number): number {
  return bytes.readUInt16BE(at) >>> (16 - bits)
}

/** Sorts records into buckets, keeping their order; returns where each bucket starts and the last ends. */
export function inBuckets(
  set: Buffer,
  bits: number,
  records: Buffer,
): { starts: Uint32Array; records: Buffer } {
  const starts = new Uint32Array(2 ** bits + 1)
  for (let at = 0; at < set.length; at += RECORD_SIZE) {
    const next = bucketOf(set, at, bits) + 1
    starts[next] = (starts[next] ?? 0) + 1
  }
  for (let i = 1; i < starts.length; i++) starts[i] = (starts[i] ?? 0) + (starts[i - 1] ?? 0)
  const place = starts.slice()
  for (let at = 0; at < set.length; at += RECORD_SIZE) {
    const bucket = bucketOf(set, at, bits)
    const to = place[bucket] ?? 0
    set.copy(records, to * RECORD_SIZE, at, at + RECORD_SIZE)
    place[bucket] = to + 1
  }
  return { starts, records }
}

function bucketed(set: Buffer, bits: number): { table: Buffer; records: Buffer } {
  const { starts, records } = inBuckets(set, bits, Buffer.allocUnsafe(set.length))
  const table = Buffer.allocUnsafe(2 ** bits * SLOT_SIZE)
  for (let bucket = 0; bucket < 2 ** bits; bucket++) {
    const [start = 0, end = 0] = [starts[bucket], starts[bucket + 1]]
    table.writeUInt32LE(end, bucket * SLOT_SIZE)
    const bytes = records.subarray(start * RECORD_SIZE, end * RECORD_SIZE)
    table.writeUInt32LE(crc32(bytes), bucket * SLOT_SIZE + 4)
  }
  return { table, records }
}

/** A damaged run; the index can be rebuilt from the contents. */
export class DamagedRun extends Error {
  readonly run: KeyRun

  constructor(run: KeyRun) {
    super(`${run.file} is damaged`)
    this.run = run
  }
}

/** An index file, open for lookups. */
export class KeyRun {
  readonly file: string
  readonly from: number
  readonly to: number
  readonly #descriptor: number
  #sets: readonly [SetLayout, SetLayout] | undefined
  #asked = 0
  /** The cached first bytes. */
  #front: Buffer = Buffer.alloc(0)
  /** The cached buckets that were verified. */
  readonly #sound = [new Set<number>(), new Set<number>()] as const

  constructor(file: string, from: number, to: number) {
    this.file = file
    this.from = from
    this.to = to
    this.#descriptor = openRegular(file).descriptor
  }

  /** The number of records. */
  get size(): number {
    return this.#layout(0).count + this.#layout(1).count
  }

  /** The indices of the entries with a key, ascending. */
  find(set: KeySet, hash: Buffer): number[] {
    this.#ask()
    const layout = this.#layout(set)
    const bucket = bucketOf(hash, 0, layout.bits)
    if (layout.end <= this.#front.length) return this.#findKept(set, bucket, hash)
    const before = bucket === 0 ? 0 : 1
    const slots = this.#read(layout.table + (bucket - before) * SLOT_SIZE, (before + 1) * SLOT_SIZE)
    const start = before ? slots.readUInt32LE(0) : 0
    const end = slots.readUInt32LE(before * SLOT_SIZE)
    if (start > end || end > layout.count) throw new DamagedRun(this)
    const records = this.#read(layout.records + start * RECORD_SIZE, (end - start) * RECORD_SIZE)
    if (crc32(records) !== slots.readUInt32LE(before * SLOT_SIZE + 4)) throw new DamagedRun(this)
    return indicesIn(records, 0, records.length, hash)
  }

  /** The same in the cached bytes; a bucket is verified once. */
  #findKept(set: KeySet, bucket: number, hash: Buffer): number[] {
    const { table, records, count } = this.#layout(set)
    const slot = table + bucket * SLOT_SIZE
    const start = bucket === 0 ? 0 : this.#front.readUInt32LE(slot - SLOT_SIZE)
    const end = this.#front.readUInt32LE(slot)
    if (start > end || end > count) throw new DamagedRun(this)
    if (start === end) return []
    const [from, to] = [records + start * RECORD_SIZE, records + end * RECORD_SIZE]
    if (!this.#sound[set].has(bucket)) {
      const sum = crc32(this.#front.subarray(from, to))
      if (sum !== this.#front.readUInt32LE(slot + 4)) throw new DamagedRun(this)
      this.#sound[set].add(bucket)
    }
    return indicesIn(this.#front, from, to, hash)
  }

  /** All records. */
  records(set: KeySet): Buffer {
    const { records, count } = this.#layout(set)
    return this.#read(records, count * RECORD_SIZE)
  }

  /** Whether the whole file is intact. */
  isSound(): boolean {
    try {
      const written = encodeRun(this.from, this.to, [this.records(0), this.records(1)])
      return written.equals(this.#read(0, written.length)) && this.#fileSize() === written.length
    } catch (error) {
      if (error instanceof DamagedRun) return false
      throw error
    }
  }

  close(): void {
    closeSync(this.#descriptor)
  }

  #fileSize(): number {
    return fstatSync(this.#descriptor).size
  }

  #layout(set: KeySet): SetLayout {
    this.#sets ??= this.#readHeader()
    return this.#sets[set]
  }

  #readHeader(): readonly [SetLayout, SetLayout] {
    const header = this.#read(0, HEADER_SIZE)
    const isOurs =
      header.readUInt32LE(0) === MARK &&
      header.readUInt32LE(4) === crc32(header.subarray(8)) &&
      header.readDoubleLE(8) === this.from &&
      header.readDoubleLE(16) === this.to
    if (!isOurs) throw new DamagedRun(this)
    const layout = layoutOf(header.readUInt32LE(24), header.readUInt32LE(28))
    // Read the stated length in one piece.
    if (layout[1].end > this.#fileSize()) throw new DamagedRun(this)
    return layout
  }

  /** Caches what is looked up often. The tables, which come first, are always small. */
  #ask(): void {
    this.#asked++
    if (this.#asked !== OFTEN) return
    const size = this.#fileSize()
    const fit = [
      ...(size <= SMALL ? [size] : []),
      ...[this.#layout(1).records, this.#layout(0).records].filter(
        length => length <= SMALL_ENOUGH,
      ),
    ]
    this.#front = this.#read(0, fit[0] ?? 0)
  }

  #read(at: number, length: number): Buffer {
    if (at + length <= this.#front.length) return this.#front.subarray(at, at + length)
    const bytes = Buffer.allocUnsafe(length)
    const got = length === 0 ? 0 : readSync(this.#descriptor, bytes, 0, length, at)
    if (got !== length) throw new DamagedRun(this)
    return bytes
  }
}

/** The indices of the records with a hash in a range. */
export function indicesIn(bytes: Buffer, from: number, to: number, hash: Buffer): number[] {
  const indices: number[] = []
  const head = hash.readUInt32LE(0)
  for (let at = from; at < to; at += RECORD_SIZE) {
    if (bytes.readUInt32LE(at) !== head) continue
    if (bytes.compare(hash, 0, HASH_SIZE, at, at + HASH_SIZE) !== 0) continue
    indices.push(bytes.readDoubleLE(at + HASH_SIZE))
  }
  return indices
}

/** Records in order: the hash of a key, one character per byte, and the index of the entry. */
export function* recordsOf(
  bytes: Buffer,
  entries: ReadonlySet<number>,
): Generator<{ readonly hash: string; readonly index: number }> {
  for (let at = 0; at < bytes.length; at += RECORD_SIZE) {
    const index = bytes.readDoubleLE(at + HASH_SIZE)
    if (entries.has(index)) yield { hash: bytes.toString('latin1', at, at + HASH_SIZE), index }
  }
}

/** The offsets of a set's table and records in a run. */
interface SetLayout {
  readonly count: number
  readonly bits: number
  readonly table: number
  readonly records: number
  /** The end of the records. */
  readonly end: number
}

function layoutOf(unique: number, also: number): readonly [SetLayout, SetLayout] {
  const [few, many] = [bitsFor(unique), bitsFor(also)]
  const second = HEADER_SIZE + 2 ** few * SLOT_SIZE
  const records = second + 2 ** many * SLOT_SIZE
  const middle = records + unique * RECORD_SIZE
  const end = middle + also * RECORD_SIZE
  return [
    { count: unique, bits: few, table: HEADER_SIZE, records, end: middle },
    { count: also, bits: many, table: second, records: middle, end },
  ]
}
