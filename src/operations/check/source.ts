import { closeSync, constants, fstatSync, openSync, readFileSync, readSync } from 'node:fs'
import { type Decoded, decode, MOST_BYTES, tooLarge } from '../../document/index.ts'
import { reasonOf } from '../../workspace/index.ts'

/** One file to check. */
export interface Source {
  /** Absolute path. */
  readonly file: string
  /** Relative to the root, forward slashes. */
  readonly path: string
  /** Named by the user, so it must be a document; otherwise found in a folder. */
  readonly named: boolean
  /** Use these bytes instead of the file's. */
  readonly bytes?: Uint8Array
  /** The reason why it cannot be read. */
  readonly unreadable?: string
}

/** Reads the text of a source; returns the reason if it cannot be read. */
export function readSource({ file, path, bytes, unreadable }: Source): Decoded | string {
  if (unreadable) return unreadable
  if (bytes) return decode(bytes)
  // U+FFFD replaces bytes that are not UTF-8; a file with that literal name must not be read instead.
  if (path.includes('\ufffd')) return 'its name is not UTF-8, or has the character U+FFFD'
  try {
    // O_NONBLOCK: opening a pipe would wait for a writer.
    const descriptor = openSync(file, constants.O_RDONLY | constants.O_NONBLOCK)
    try {
      const stats = fstatSync(descriptor)
      if (!stats.isFile()) return 'it is not a regular file'
      if (stats.size > MOST_BYTES) return tooLarge(readHead(descriptor), stats.size)
      return decode(readBytes(descriptor, stats.size))
    } finally {
      closeSync(descriptor)
    }
  } catch (error) {
    return reasonOf(error)
  }
}

/** Reusable buffer, filled and decoded without awaiting; most documents fit. */
const scratch = new Uint8Array(65_536)

function readBytes(descriptor: number, size: number): Uint8Array {
  // Some file systems report size 0 for files with content.
  if (size === 0 || size > scratch.length) return readFileSync(descriptor)
  let end = 0
  for (let read = -1; read !== 0 && end < size; end += read)
    read = readSync(descriptor, scratch, end, size - end, null)
  return scratch.subarray(0, end)
}

function readHead(descriptor: number): Uint8Array {
  const head = new Uint8Array(65_536)
  return head.subarray(0, readSync(descriptor, head))
}
