import { closeSync, constants, fstatSync, openSync, readFileSync, readSync } from 'node:fs'
import { type Decoded, decode, MOST_BYTES, tooLarge } from '../../document/index.ts'
import { reasonOf } from '../../workspace/index.ts'

/** One file to check, and how it came to be on the list. */
export interface Source {
  /** Absolute path. */
  readonly file: string
  /** Relative to the root, forward slashes. */
  readonly path: string
  /** The user named it, so it must be a document; otherwise it was met while walking. */
  readonly named: boolean
  /** Take these bytes instead of the file's. */
  readonly bytes?: Uint8Array
  /** Why there is nothing to read. */
  readonly unreadable?: string
}

/** The text of a source, or in words why the file cannot be read. */
export function readSource({ file, path, bytes, unreadable }: Source): Decoded | string {
  if (unreadable) return unreadable
  if (bytes) return decode(bytes)
  // What stands for bytes that are no text; a file that has this very name must not be read in place of that one.
  if (path.includes('\ufffd')) return 'its name is not UTF-8, or has the character U+FFFD'
  try {
    // Opening a pipe without this waits for somebody to write.
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

/** Filled and decoded without waiting in between, so that one is enough for all; few documents are longer. */
const scratch = new Uint8Array(65_536)

function readBytes(descriptor: number, size: number): Uint8Array {
  // Some systems show files whose size is not known before they are read.
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
