import { hash } from 'node:crypto'
import { closeSync, fstatSync, openSync, readSync } from 'node:fs'
import { crc32 } from 'node:zlib'
import { digestOf } from './sha256.ts'

/** One key of one entry: its SHA-256, then the index as a double, little-endian. */
export const RECORD_SIZE = 40
const HASH_SIZE = 32
/** How long the header of a run is, and a slot of its tables. */
export const HEADER_SIZE = 64
export const SLOT_SIZE = 8
const MARK = 0x31_4b_42_57
/** How many records a bucket has on average, at most. */
const CROWD = 16
const MOST_BITS = 16
/** What is asked that often is read at once, if it is of at most so many bytes: the whole run, or its unique keys. */
const OFTEN = 16
const SMALL = 4_000_000
const SMALL_ENOUGH = 16_000_000
/** How many hashes of keys are kept for the next entries. */
const MOST_KNOWN = 512

/** The records of a stretch of the log: those of unique keys, and the others. */
export type RecordSets = readonly [unique: Buffer, also: Buffer]

/** Which of the two sets of records. */
export type KeySet = 0 | 1

/** What a key is kept under. */
export function keyHash(key: string): Buffer {
  return digestOf(key)
}

/** Gathers the records of entries. */
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

  /** Many entries have a key in common: that of their kind, those of their agents. */
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

/**
 * Writes the records of a stretch so that one key is found with two short reads.
 *
 * A header, then for each set a table with a slot per bucket (where it ends, and its CRC-32), then the records, bucket
 * by bucket: a bucket has those whose hash begins with the same bits, in the order of the log.
 */
export function encodeRun(from: number, to: number, sets: RecordSets): Buffer {
  const parts = sets.map(set => bucketed(set, bitsFor(set.length / RECORD_SIZE)))
  return Buffer.concat([
    encodeHeader(from, to, [sets[0].length / RECORD_SIZE, sets[1].length / RECORD_SIZE]),
    ...parts.map(({ table }) => table),
    ...parts.map(({ records }) => records),
  ])
}

/** Writes the header of a run: of which stretch it is, and how many records each set has. */
export function encodeHeader(from: number, to: number, counts: readonly [number, number]): Buffer {
  const header = Buffer.alloc(HEADER_SIZE)
  header.writeUInt32LE(MARK, 0)
  header.writeDoubleLE(from, 8)
  header.writeDoubleLE(to, 16)
  for (const [i, count] of counts.entries()) header.writeUInt32LE(count, 24 + 4 * i)
  header.writeUInt32LE(crc32(header.subarray(8)), 4)
  return header
}

/** By how many bits of their hash so many records are put into buckets. */
export function bitsFor(count: number): number {
  return Math.min(MOST_BITS, Math.max(0, Math.ceil(Math.log2(Math.max(1, count) / CROWD))))
}

/** The bucket of the record at a place. */
export function bucketOf(bytes: Buffer, at: number, bits: number): number {
  return bytes.readUInt16BE(at) >>> (16 - bits)
}

function bucketed(set: Buffer, bits: number): { table: Buffer; records: Buffer } {
  const starts = new Uint32Array(2 ** bits + 1)
  for (let at = 0; at < set.length; at += RECORD_SIZE) {
    const next = bucketOf(set, at, bits) + 1
    starts[next] = (starts[next] ?? 0) + 1
  }
  for (let i = 1; i < starts.length; i++) starts[i] = (starts[i] ?? 0) + (starts[i - 1] ?? 0)
  const place = starts.slice()
  const records = Buffer.allocUnsafe(set.length)
  for (let at = 0; at < set.length; at += RECORD_SIZE) {
    const bucket = bucketOf(set, at, bits)
    const to = place[bucket] ?? 0
    set.copy(records, to * RECORD_SIZE, at, at + RECORD_SIZE)
    place[bucket] = to + 1
  }
  const table = Buffer.allocUnsafe(2 ** bits * SLOT_SIZE)
  for (let bucket = 0; bucket < 2 ** bits; bucket++) {
    const [start = 0, end = 0] = [starts[bucket], starts[bucket + 1]]
    table.writeUInt32LE(end, bucket * SLOT_SIZE)
    const bytes = records.subarray(start * RECORD_SIZE, end * RECORD_SIZE)
    table.writeUInt32LE(crc32(bytes), bucket * SLOT_SIZE + 4)
  }
  return { table, records }
}

/** Says which run is damaged: what it holds can be found out again from the contents. */
export class DamagedRun extends Error {
  readonly run: KeyRun

  constructor(run: KeyRun) {
    super(`${run.file} is damaged`)
    this.run = run
  }
}

/** A file of the index of keys, open for looking up. */
export class KeyRun {
  readonly file: string
  readonly from: number
  readonly to: number
  readonly #descriptor: number
  #counts: readonly [number, number] | undefined
  #asked = 0
  /** The first bytes, as far as they are kept. */
  #front: Buffer = Buffer.alloc(0)

  constructor(file: string, from: number, to: number) {
    this.file = file
    this.from = from
    this.to = to
    this.#descriptor = openSync(file, 'r')
  }

  /** How many records it has. */
  get size(): number {
    return this.#count(0) + this.#count(1)
  }

  /** The indices of the entries that have a key, ascending. */
  find(set: KeySet, hash: Buffer): number[] {
    this.#ask()
    const bits = bitsFor(this.#count(set))
    const bucket = bucketOf(hash, 0, bits)
    const before = bucket === 0 ? 0 : 1
    const slots = this.#read(
      this.#tableAt(set) + (bucket - before) * SLOT_SIZE,
      (before + 1) * SLOT_SIZE,
    )
    const start = before ? slots.readUInt32LE(0) : 0
    const end = slots.readUInt32LE(before * SLOT_SIZE)
    if (start > end || end > this.#count(set)) throw new DamagedRun(this)
    const records = this.#read(
      this.#recordsAt(set) + start * RECORD_SIZE,
      (end - start) * RECORD_SIZE,
    )
    if (crc32(records) !== slots.readUInt32LE(before * SLOT_SIZE + 4)) throw new DamagedRun(this)
    return indicesOf(records, hash)
  }

  /** All records. */
  records(set: KeySet): Buffer {
    return this.#read(this.#recordsAt(set), this.#count(set) * RECORD_SIZE)
  }

  /** Whether every byte is what was written. */
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

  #count(set: KeySet): number {
    this.#counts ??= this.#readHeader()
    return this.#counts[set]
  }

  #readHeader(): readonly [number, number] {
    const header = this.#read(0, HEADER_SIZE)
    const isOurs =
      header.readUInt32LE(0) === MARK &&
      header.readUInt32LE(4) === crc32(header.subarray(8)) &&
      header.readDoubleLE(8) === this.from &&
      header.readDoubleLE(16) === this.to
    if (!isOurs) throw new DamagedRun(this)
    return [header.readUInt32LE(24), header.readUInt32LE(28)]
  }

  #tableAt(set: KeySet): number {
    return set === 0 ? HEADER_SIZE : HEADER_SIZE + this.#tableSize(0)
  }

  #tableSize(set: KeySet): number {
    return 2 ** bitsFor(this.#count(set)) * SLOT_SIZE
  }

  #recordsAt(set: KeySet): number {
    const first = HEADER_SIZE + this.#tableSize(0) + this.#tableSize(1)
    return set === 0 ? first : first + this.#count(0) * RECORD_SIZE
  }

  /** What is asked again and again is read once. The tables, which stand first, are small always. */
  #ask(): void {
    this.#asked++
    if (this.#asked !== OFTEN) return
    const size = this.#fileSize()
    const fit = [
      ...(size <= SMALL ? [size] : []),
      ...[this.#recordsAt(1), this.#recordsAt(0)].filter(length => length <= SMALL_ENOUGH),
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

function indicesOf(records: Buffer, hash: Buffer): number[] {
  const indices: number[] = []
  for (let at = records.indexOf(hash); at >= 0; at = records.indexOf(hash, at + 1)) {
    if (at % RECORD_SIZE !== 0) continue
    indices.push(records.readDoubleLE(at + HASH_SIZE))
  }
  return indices
}
