import { closeSync, fstatSync, readdirSync, readSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import type { LastClock } from '../log.ts'
import { cannotRead, isMissing, tampered } from './fault.ts'
import {
  decodeBody,
  decodeHeader,
  type FrameEntry,
  type FrameHeader,
  HEADER_SIZE,
} from './frame.ts'
import { MOST_AT_ONCE, openRegular } from './regular.ts'

/** The number of bytes scanned at a time. */
const PIECE = 16_384

/** One group commit, read back. */
export interface Frame extends FrameHeader {
  readonly entries: readonly FrameEntry[]
}

/** A write-ahead segment: its file, and the index of its first entry. */
export interface Segment {
  readonly file: string
  readonly first: number
}

/** The segments of a log, in order. */
export function segmentsIn(wal: string): Segment[] {
  let names: string[]
  try {
    names = readdirSync(wal)
  } catch (cause) {
    if (isMissing(cause)) return []
    throw cannotRead(wal, cause)
  }
  return names
    .filter(name => /^[0-9]{1,16}$/.test(name))
    .map(name => ({ file: join(wal, name), first: Number(name) }))
    .sort((one, other) => one.first - other.first)
}

/**
 * Reads the frames of a segment one at a time.
 *
 * A frame that a crash left unfinished was never promised, and ends the last segment; a torn frame elsewhere, or a
 * complete one with a wrong checksum, is not explained by a crash.
 */
export function* readFrames({ file }: Segment, isLast: boolean): Generator<Frame> {
  const descriptor = openRegular(file).descriptor
  try {
    const size = recordedIn(descriptor, isLast)
    for (let at = 0; at < size; ) {
      const frame = frameAt(descriptor, at, size)
      if (frame === undefined) {
        if (isLast && isUnfinished(descriptor, at, size)) return
        throw tampered(`a record of ${file} is damaged`)
      }
      yield frame
      at += HEADER_SIZE + frame.length
    }
  } finally {
    closeSync(descriptor)
  }
}

/** The length of the records: the last segment may have preallocated zeros after them; no record ends with a zero. */
export function recordedLength({ file }: Segment, isLast: boolean): number {
  const descriptor = openRegular(file).descriptor
  try {
    return recordedIn(descriptor, isLast)
  } finally {
    closeSync(descriptor)
  }
}

function recordedIn(descriptor: number, isLast: boolean): number {
  const { size } = fstatSync(descriptor)
  if (!isLast) return size
  for (let end = size; end > 0; ) {
    const start = Math.max(0, end - PIECE)
    const last = bytesAt(descriptor, start, end - start).findLastIndex(byte => byte !== 0)
    if (last >= 0) return start + last + 1
    end = start
  }
  return 0
}

function frameAt(descriptor: number, at: number, size: number): Frame | undefined {
  const header = decodeHeader(bytesAt(descriptor, at, HEADER_SIZE))
  if (header === undefined || at + HEADER_SIZE + header.length > size) return undefined
  const entries = decodeBody(bytesAt(descriptor, at + HEADER_SIZE, header.length), header)
  return entries && { ...header, entries }
}

/** Whether a frame is truncated, or a part of it never reached the disk and reads as zeros. */
function isUnfinished(descriptor: number, at: number, size: number): boolean {
  const rest = bytesAt(descriptor, at, size - at)
  const header = decodeHeader(rest)
  if (rest.length < HEADER_SIZE) return true
  if (header && HEADER_SIZE + header.length > rest.length) return true
  if (header && HEADER_SIZE + header.length < rest.length) return false
  const zeros = Buffer.alloc(512)
  for (let sector = Math.ceil(at / 512) * 512 - at; sector < rest.length; sector += 512) {
    const bytes = rest.subarray(sector, sector + 512)
    if (bytes.length >= 16 && bytes.equals(zeros.subarray(0, bytes.length))) return true
  }
  // Its header may span two sectors.
  return rest.subarray(0, Math.min(HEADER_SIZE, 512 - (at % 512))).every(byte => byte === 0)
}

function bytesAt(descriptor: number, at: number, length: number): Buffer {
  const bytes = Buffer.allocUnsafe(length)
  let got = 0
  while (got < length) {
    const read = readSync(descriptor, bytes, got, length - got, at + got)
    if (read === 0) break
    got += read
  }
  return bytes.subarray(0, got)
}

/** Writes all bytes at an offset of a file. */
export function writeAll(descriptor: number, bytes: Uint8Array, at: number): void {
  let put = 0
  while (put < bytes.length) {
    const length = Math.min(bytes.length - put, MOST_AT_ONCE)
    put += writeSync(descriptor, bytes, put, length, at + put)
  }
}

/** The clock of the last frame in a segment; reads headers only. */
export function lastClockOf({ file }: Segment): LastClock | undefined {
  let descriptor: number
  try {
    descriptor = openRegular(file).descriptor
  } catch {
    // It was integrated meanwhile.
    return undefined
  }
  try {
    let clock: LastClock | undefined
    for (let at = 0; ; ) {
      const header = decodeHeader(bytesAt(descriptor, at, HEADER_SIZE))
      if (header === undefined) return clock
      clock = header.clock
      at += HEADER_SIZE + header.length
    }
  } finally {
    closeSync(descriptor)
  }
}
