import { closeSync, constants, fstatSync, openSync, readSync } from 'node:fs'
import { WaybillError } from '../../error.ts'

/** A checkpoint, the state of a tree and a seal are a few kilobytes, whoever has cosigned. */
export const SMALL_FILE = 1_048_576
/** The longest bundle of entries there can be; tiles of hashes are shorter. */
export const LONGEST_TILE = 256 * (65_535 + 2)
/** The contents of 256 entries: a document has at most 8 MiB, and base64 makes a third more of it. */
export const LONGEST_CONTENTS = 256 * 16_777_216

/** A file that is open for reading, and how long it was then. */
interface OpenFile {
  readonly descriptor: number
  readonly size: number
}

/**
 * Opens a file that somebody else may have put there: a pipe would let who opens it wait for ever, a device never ends,
 * and a file without an end takes all memory. Throws as Node does where it cannot be opened.
 */
export function openRegular(file: string, most = Number.POSITIVE_INFINITY): OpenFile {
  const descriptor = openSync(file, constants.O_RDONLY | constants.O_NONBLOCK)
  try {
    return { descriptor, size: regularSize(descriptor, file, most) }
  } catch (error) {
    closeSync(descriptor)
    throw error
  }
}

/** How long an open file is, which must be a regular one. */
export function regularSize(
  descriptor: number,
  file: string,
  most = Number.POSITIVE_INFINITY,
): number {
  const stats = fstatSync(descriptor)
  if (!stats.isFile()) throw notOurs(`${file} is no regular file`)
  if (stats.size > most)
    throw notOurs(`${file} has ${stats.size} bytes, more than any log has there`)
  return stats.size
}

function notOurs(what: string): WaybillError {
  return new WaybillError('input-output', what, {
    hint: 'no log puts that there: find out who did, and put the newest copy of the file back',
  })
}

/** Reads a whole file as it is now. */
export function readRegular(file: string, most: number): Buffer {
  const { descriptor, size } = openRegular(file, most)
  try {
    return readOpen(descriptor, size)
  } finally {
    closeSync(descriptor)
  }
}

/** Reads an open file of some size from its beginning. */
export function readOpen(descriptor: number, size: number): Buffer {
  const bytes = Buffer.allocUnsafe(size)
  return bytes.subarray(0, fill(descriptor, bytes))
}

/** Node reads and writes no more bytes at a time than 31 bits can count. */
export const MOST_AT_ONCE = 1_073_741_824

/** Reads from the beginning of a file until some memory is full or the file has ended; gives how much that was. */
export function fill(descriptor: number, memory: Uint8Array, atOnce = MOST_AT_ONCE): number {
  let length = 0
  for (let got = -1; got !== 0 && length < memory.length; length += got)
    got = readSync(descriptor, memory, length, Math.min(memory.length - length, atOnce), length)
  return length
}
