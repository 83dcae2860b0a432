import { closeSync, constants, fsyncSync, mkdirSync, openSync, renameSync, rmSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { cannotWrite } from './fault.ts'
import { writeAll } from './wal.ts'

/**
 * Writes files durably, one by one.
 *
 * Each is written to a temporary file, synced and renamed, so that readers see all of it or nothing; `settle` syncs
 * the folders together.
 */
export class DurableFiles {
  readonly #temporary: string
  readonly #touched = new Set<string>()
  #count = 0

  constructor(temporary: string) {
    this.#temporary = temporary
  }

  /** Creates or replaces a file. */
  replace(file: string, bytes: Uint8Array | string): void {
    this.#count++
    const temporary = join(this.#temporary, `${basename(file)}-${this.#count}`)
    this.makeFolder(dirname(file))
    replaceThrough(temporary, file, bytes)
    this.#touched.add(dirname(file))
  }

  /** Creates a folder and its parents. */
  makeFolder(folder: string): void {
    if (this.#touched.has(folder)) return
    const first = makeFolderAt(folder)
    if (first === undefined) return
    for (let made = folder; made.length >= first.length; made = dirname(made))
      this.#touched.add(dirname(made))
  }

  /** Notes a file that was created in a folder by other means. */
  touch(folder: string): void {
    this.#touched.add(folder)
  }

  /** Syncs the folders, which makes all names durable. */
  settle(): void {
    for (const folder of this.#touched) syncFolder(folder)
    this.#touched.clear()
  }
}

/** Replaces one file durably, through a temporary file in the same folder. */
export function replaceDurably(file: string, bytes: Uint8Array | string): void {
  const folder = dirname(file)
  const first = makeFolderAt(folder)
  replaceThrough(join(folder, `.${basename(file)}.new`), file, bytes)
  syncFolder(folder)
  if (first !== undefined)
    for (let made = folder; made.length >= first.length; made = dirname(made))
      syncFolder(dirname(made))
}

function makeFolderAt(folder: string): string | undefined {
  try {
    return mkdirSync(folder, { recursive: true, mode: 0o700 })
  } catch (cause) {
    throw cannotWrite(folder, cause)
  }
}

/** Fails on a pipe instead of waiting for its reader. */
const NEW = constants.O_WRONLY | constants.O_CREAT | constants.O_TRUNC | constants.O_NONBLOCK

function replaceThrough(temporary: string, file: string, bytes: Uint8Array | string): void {
  try {
    const descriptor = openSync(temporary, NEW, 0o600)
    try {
      writeAll(descriptor, typeof bytes === 'string' ? Buffer.from(bytes) : bytes, 0)
      fsyncSync(descriptor)
    } finally {
      closeSync(descriptor)
    }
    renameSync(temporary, file)
  } catch (cause) {
    removeLeft(temporary)
    throw cannotWrite(file, cause)
  }
}

/** If this fails too, report the first error. */
function removeLeft(temporary: string): void {
  try {
    rmSync(temporary, { force: true })
  } catch {
    // The next write of the same file reuses it.
  }
}

/** Syncs a folder, which makes its names durable. */
export function syncFolder(folder: string): void {
  try {
    const descriptor = openSync(folder, 'r')
    try {
      fsyncSync(descriptor)
    } finally {
      closeSync(descriptor)
    }
  } catch (cause) {
    throw cannotWrite(folder, cause)
  }
}
