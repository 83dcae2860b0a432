import { closeSync, constants, fsyncSync, mkdirSync, openSync, renameSync, rmSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { cannotWrite } from './fault.ts'
import { writeAll } from './wal.ts'

/**
 * Files that are to be there after the power fails, put in place one by one.
 *
 * Each is written beside, forced to the disk and then renamed, so that a reader sees all of it or nothing; the folders
 * are forced to the disk together, by `settle`.
 */
export class DurableFiles {
  readonly #temporary: string
  readonly #touched = new Set<string>()
  #count = 0

  constructor(temporary: string) {
    this.#temporary = temporary
  }

  /** Puts a file in the place of the one that may be there. */
  replace(file: string, bytes: Uint8Array | string): void {
    this.#count++
    const temporary = join(this.#temporary, `${basename(file)}-${this.#count}`)
    this.makeFolder(dirname(file))
    replaceThrough(temporary, file, bytes)
    this.#touched.add(dirname(file))
  }

  /** Makes a folder, and those above it. */
  makeFolder(folder: string): void {
    if (this.#touched.has(folder)) return
    const first = makeFolderAt(folder)
    if (first === undefined) return
    for (let made = folder; made.length >= first.length; made = dirname(made))
      this.#touched.add(dirname(made))
  }

  /** Notes that a file was made in a folder by other means. */
  touch(folder: string): void {
    this.#touched.add(folder)
  }

  /** After this every name stands on the disk. */
  settle(): void {
    for (const folder of this.#touched) syncFolder(folder)
    this.#touched.clear()
  }
}

/** Replaces one file so that it lasts; its temporary form stands beside it. */
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

/** Where somebody has put a pipe, this is an error instead of waiting for who reads it. */
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

/** Where not even this can be done, why nothing was written is what has to be told. */
function removeLeft(temporary: string): void {
  try {
    rmSync(temporary, { force: true })
  } catch {
    // The next write of the same file takes it over.
  }
}

/** After this the names in a folder stand on the disk. */
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
