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
 * Reads a file of ours, such as the configuration; undefined if it does not exist.
 *
 * @throws {Error} when it is not a regular file, too large or unreadable: pipes and devices may never end.
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

/** The beginning of a file, its version, and when it was last changed. */
export interface FileHead {
  readonly bytes: Buffer
  readonly version: string
  /** Milliseconds since the epoch. */
  readonly modified: number
}

/**
 * Reads the beginning of a file into a buffer.
 *
 * @throws {Error} when it is missing, not a regular file or unreadable.
 */
export function readHead(file: string, into: Buffer): FileHead {
  const descriptor = open(file)
  try {
    const stats = fstatSync(descriptor)
    if (!stats.isFile()) throw new Error('it is not a regular file')
    const bytes = into.subarray(0, readSync(descriptor, into))
    return { bytes, version: versionIn(stats), modified: Math.floor(stats.mtimeMs) }
  } finally {
    closeSync(descriptor)
  }
}

/** The digest of a file, and its version. */
export interface HashedFile {
  /** In lower-case hex. */
  readonly sha256: string
  readonly version: string
  /** Whether its last change is old enough that any later change shows in the version. */
  readonly isSettled: boolean
}

/** Milliseconds within which coarse file system clocks may not distinguish two changes. */
const COARSE = 1000

/**
 * Hashes the bytes of a file.
 *
 * @throws {Error} when it is missing, not a regular file or unreadable.
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

/** The current version of a file, which differs after every change; undefined if unavailable. */
export function versionOf(file: string): string | undefined {
  try {
    return versionIn(statSync(file))
  } catch {
    return undefined
  }
}

/** Facts that every change affects, even if it resets the visible times. */
function versionIn({ dev, ino, size, ctimeMs }: Stats): string {
  return `${dev} ${ino} ${size} ${ctimeMs}`
}

function open(file: string): number {
  // Opening a pipe without this flag waits for a writer.
  return openSync(file, constants.O_RDONLY | constants.O_NONBLOCK)
}
