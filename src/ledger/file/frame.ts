import { crc32 } from 'node:zlib'
import type { Draft, EntryKeys, LastClock } from '../log.ts'

/**
 * The record of one group commit: a header, the entries, and an end byte.
 *
 * Header, little-endian: mark, CRC-32 of the rest of the header, length and CRC-32 of the body, number of entries,
 * four unused bytes, then as doubles the index of the first entry, gateway time, wall clock and uptime, then the
 * 16-byte boot id. An entry: lengths of leaf, content, unique and other keys as four bytes each, then these; keys are
 * lines.
 */
export const HEADER_SIZE = 72
const MARK = 0x31_57_42_57
const ENTRY_HEADER = 16
const END = 0xff

/** The header of a frame. */
export interface FrameHeader {
  readonly length: number
  readonly crc: number
  readonly count: number
  readonly first: number
  readonly clock: LastClock
}

/** One entry in a write-ahead segment. */
export interface FrameEntry {
  readonly leaf: Buffer
  readonly content: Buffer
  readonly keys: EntryKeys
}

/** Encodes frames, reusing one buffer. */
export class FrameEncoder {
  #memory = Buffer.alloc(0)

  /** Returns a frame, valid until the next call. */
  encode(first: number, clock: LastClock, drafts: readonly Draft[]): Buffer {
    const most = drafts.reduce((size, draft) => size + mostBytes(draft), HEADER_SIZE + 1)
    if (most > this.#memory.length) this.#memory = Buffer.allocUnsafeSlow(most)
    let at = HEADER_SIZE
    for (const draft of drafts) at = writeEntry(this.#memory, at, draft)
    this.#memory[at] = END
    const frame = this.#memory.subarray(0, at + 1)
    writeHeader(frame, first, clock, drafts.length)
    return frame
  }
}

/** UTF-8 needs at most three bytes for each UTF-16 unit. */
function mostBytes({ leaf, content, keys }: Draft): number {
  let units = content.length
  for (const key of keys.unique) units += key.length + 1
  for (const key of keys.also) units += key.length + 1
  return ENTRY_HEADER + leaf.length + 3 * units
}

function writeEntry(memory: Buffer, start: number, { leaf, content, keys }: Draft): number {
  memory.writeUInt32LE(leaf.length, start)
  memory.set(leaf, start + ENTRY_HEADER)
  let at = start + ENTRY_HEADER + leaf.length
  let field = start
  for (const text of [content, keys.unique.join('\n'), keys.also.join('\n')]) {
    const length = memory.write(text, at)
    field += 4
    memory.writeUInt32LE(length, field)
    at += length
  }
  return at
}

function writeHeader(frame: Buffer, first: number, clock: LastClock, count: number): void {
  const body = frame.subarray(HEADER_SIZE)
  frame.writeUInt32LE(MARK, 0)
  frame.writeUInt32LE(body.length, 8)
  frame.writeUInt32LE(crc32(body), 12)
  frame.writeUInt32LE(count, 16)
  frame.writeUInt32LE(0, 20)
  frame.writeDoubleLE(first, 24)
  frame.writeDoubleLE(clock.time, 32)
  frame.writeDoubleLE(clock.wall, 40)
  frame.writeDoubleLE(clock.uptime, 48)
  frame.fill(0, 56, HEADER_SIZE)
  frame.write(clock.boot.replaceAll('-', ''), 56, 16, 'hex')
  frame.writeUInt32LE(crc32(frame.subarray(8, HEADER_SIZE)), 4)
}

/** Decodes a frame's header; returns nothing if it is incomplete. */
export function decodeHeader(bytes: Buffer): FrameHeader | undefined {
  if (bytes.length < HEADER_SIZE || bytes.readUInt32LE(0) !== MARK) return undefined
  if (bytes.readUInt32LE(4) !== crc32(bytes.subarray(8, HEADER_SIZE))) return undefined
  return {
    length: bytes.readUInt32LE(8),
    crc: bytes.readUInt32LE(12),
    count: bytes.readUInt32LE(16),
    first: bytes.readDoubleLE(24),
    clock: {
      time: bytes.readDoubleLE(32),
      wall: bytes.readDoubleLE(40),
      uptime: bytes.readDoubleLE(48),
      boot: bootName(bytes.toString('hex', 56, HEADER_SIZE)),
    },
  }
}

/** Formats a boot id as the kernel does. */
function bootName(hex: string): string {
  if (/^0+$/.test(hex)) return ''
  const cuts = [0, 8, 12, 16, 20, 32]
  return cuts
    .slice(1)
    .map((end, i) => hex.slice(cuts[i], end))
    .join('-')
}

/** Decodes the entries of a frame; returns nothing if the bytes do not match the header. */
export function decodeBody(body: Buffer, header: FrameHeader): FrameEntry[] | undefined {
  if (body.length !== header.length || crc32(body) !== header.crc) return undefined
  const entries: FrameEntry[] = []
  let at = 0
  const take = (length: number) => {
    const start = at
    at += length
    return body.subarray(start, at)
  }
  for (let i = 0; i < header.count; i++) {
    const lengths = take(ENTRY_HEADER)
    if (lengths.length < ENTRY_HEADER) return undefined
    const leaf = take(lengths.readUInt32LE(0))
    const content = take(lengths.readUInt32LE(4))
    const unique = lines(take(lengths.readUInt32LE(8)))
    const also = lines(take(lengths.readUInt32LE(12)))
    entries.push({ leaf, content, keys: { unique, also } })
  }
  return body[at] === END ? entries : undefined
}

const lines = (bytes: Buffer) => (bytes.length === 0 ? [] : bytes.toString().split('\n'))
