import {
  closeSync,
  constants,
  fstatSync,
  openSync,
  readFileSync,
  readSync,
  type Stats,
  statSync,
} from 'node:fs'
import { sha256 } from './digest.ts'

/**
 * The bytes of a file of ours, such as the configuration; `undefined` where there is none.
 *
 * @throws Error for what is no regular file, too large or not readable: a pipe or a device could go on for ever.
 */
export function readOwnFile(file: string, mostBytes: number): Buffer | undefined {
  let descriptor: number
  try {
    descriptor = open(file)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
  try {
    const stats = fstatSync(descriptor)
    if (!stats.isFile()) throw new Error('it is not a regular file')
    if (stats.size > mostBytes) throw new Error(`it has more than ${mostBytes} bytes`)
    return readFileSync(descriptor)
  } finally {
    closeSync(descriptor)
  }
}

/** The beginning of a file, and which version of it that is. */
export interface FileHead {
  readonly bytes: Buffer
  readonly version: string
}

/**
 * As many bytes from the beginning of a file as a buffer takes; they stand in that buffer.
 *
 * @throws Error for what is missing, no regular file or not readable.
 */
export function readHead(file: string, into: Buffer): FileHead {
  const descriptor = open(file)
  try {
    const stats = fstatSync(descriptor)
    if (!stats.isFile()) throw new Error('it is not a regular file')
    return { bytes: into.subarray(0, readSync(descriptor, into)), version: versionIn(stats) }
  } finally {
    closeSync(descriptor)
  }
}

/** The digest of a file's bytes, and which version of the file they were. */
export interface HashedFile {
  /** In lower-case hex. */
  readonly sha256: string
  readonly version: string
  /** Whether it had not been changed for so long that every later change shows in the version. */
  readonly isSettled: boolean
}

/** The clocks of file systems are coarse: two changes this close together, in milliseconds, may look like one. */
const COARSE = 1000

/**
 * Hashes the bytes of a file.
 *
 * @throws Error for what is missing, no regular file or not readable.
 */
export function hashFile(file: string): HashedFile {
  const descriptor = open(file)
  try {
    const stats = fstatSync(descriptor)
    if (!stats.isFile()) throw new Error('it is not a regular file')
    const isSettled = Date.now() - stats.ctimeMs > COARSE
    return { sha256: sha256(readFileSync(descriptor)), version: versionIn(stats), isSettled }
  } finally {
    closeSync(descriptor)
  }
}

/** Which version of a file there is now: another one after every change. Absent where there is none to be had. */
export function versionOf(file: string): string | undefined {
  try {
    return versionIn(statSync(file))
  } catch {
    return undefined
  }
}

/** What a change cannot leave alone, whatever it does to the times that people see. */
function versionIn({ dev, ino, size, ctimeMs }: Stats): string {
  return `${dev} ${ino} ${size} ${ctimeMs}`
}

function open(file: string): number {
  // Opening a pipe without this waits for somebody to write.
  return openSync(file, constants.O_RDONLY | constants.O_NONBLOCK)
}
