import { closeSync, constants, fstatSync, openSync, readSync } from 'node:fs'
import { WaybillError } from '../../error.ts'

/** A checkpoint, a tree state and a seal are a few kilobytes, even with cosignatures. */
export const SMALL_FILE = 1_048_576
/** The size of the longest bundle of entries, in bytes; hash tiles are shorter. */
export const LONGEST_TILE = 256 * (65_535 + 2)
/** The size of the contents of 256 entries, in bytes: a document has at most 8 MiB, and base64 adds a third. */
export const LONGEST_CONTENTS = 256 * 16_777_216

/** A file open for reading, with its length at that time. */
interface OpenFile {
  readonly descriptor: number
  readonly size: number
}

/**
 * Opens a file that may be planted: opening a pipe could block forever, a device never ends, and a huge file would
 * exhaust memory. Throws Node's error if it cannot be opened.
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

/** The length of an open file, which must be a regular one. */
export function regularSize(
  descriptor: number,
  file: string,
  most = Number.POSITIVE_INFINITY,
): number {
  const stats = fstatSync(descriptor)
  if (!stats.isFile()) throw notOurs(`${file} is not a regular file`)
  if (stats.size > most)
    throw notOurs(`${file} has ${stats.size} bytes, more than this file of a log can have`)
  return stats.size
}

function notOurs(what: string): WaybillError {
  return new WaybillError('input-output', what, {
    hint: 'a log never writes this: find out who did, and restore the newest copy of the file',
  })
}

/** Reads a whole file. */
export function readRegular(file: string, most: number): Buffer {
  const { descriptor, size } = openRegular(file, most)
  try {
    return readOpen(descriptor, size)
  } finally {
    closeSync(descriptor)
  }
}

/** Reads an open file of a known size from its start. */
export function readOpen(descriptor: number, size: number): Buffer {
  const bytes = Buffer.allocUnsafe(size)
  return bytes.subarray(0, fill(descriptor, bytes))
}

/** Node limits one read or write to 2^31 - 1 bytes. */
export const MOST_AT_ONCE = 1_073_741_824

/** Reads from the start of a file until the buffer is full or the file ends; returns the number of bytes. */
export function fill(descriptor: number, memory: Uint8Array, atOnce = MOST_AT_ONCE): number {
  let length = 0
  for (let got = -1; got !== 0 && length < memory.length; length += got)
    got = readSync(descriptor, memory, length, Math.min(memory.length - length, atOnce), length)
  return length
}
