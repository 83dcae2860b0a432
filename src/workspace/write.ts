import {
  closeSync,
  existsSync,
  fchmodSync,
  fsyncSync,
  linkSync,
  mkdirSync,
  openSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { cannotWrite } from './look.ts'

/** Replaces a file as one step: readers see the old text or the new one, never a part of either. */
export function writeAtomically(file: string, text: string): void {
  const temporary = writeTemporary(file, text, modeOf(file))
  try {
    renameSync(temporary, file)
  } catch (cause) {
    removeLeft(temporary)
    throw cannotWrite(file, cause)
  }
}

/** Writes a file that is not there yet; gives whether it did, and leaves an existing one alone. */
export function createAtomically(file: string, text: string, mode?: number): boolean {
  const temporary = writeTemporary(file, text, mode)
  try {
    linkSync(temporary, file)
    return true
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code === 'EEXIST') return false
    throw cannotWrite(file, cause)
  } finally {
    removeLeft(temporary)
  }
}

/**
 * Makes a folder with those above it; gives the first that was not there.
 *
 * Level by level: Node's own way never ends where a folder is there and what is made in it is not, as in /proc.
 */
export function makeFolders(folder: string, mode?: number): string | undefined {
  const missing: string[] = []
  for (let at = folder; !existsSync(at); at = dirname(at)) missing.unshift(at)
  for (const level of missing) {
    try {
      mkdirSync(level, mode)
    } catch (cause) {
      // Another process may have made it by now.
      if (!isFolder(level)) throw cause
    }
  }
  return missing[0]
}

/** Takes away what a write has left that failed; where not even that can be done, the first failure is the one to tell. */
export function removeLeft(path: string): void {
  try {
    rmSync(path, { recursive: true, force: true })
  } catch {
    // Whoever reads the error finds it there.
  }
}

function isFolder(path: string): boolean {
  try {
    return statSync(path).isDirectory()
  } catch {
    return false
  }
}

function modeOf(file: string): number | undefined {
  try {
    const stats = statSync(file, { throwIfNoEntry: false })
    return stats && stats.mode & 0o7777
  } catch (cause) {
    throw cannotWrite(file, cause)
  }
}

function writeTemporary(file: string, text: string, mode: number | undefined): string {
  const temporary = join(
    dirname(file),
    `.${basename(file)}.${process.getBuiltinModule('node:crypto').randomUUID()}`,
  )
  const descriptor = openNew(temporary, file, mode)
  try {
    try {
      // What the mask of the process takes away is given back to a file that had it.
      if (mode !== undefined) fchmodSync(descriptor, mode)
      writeFileSync(descriptor, text)
      fsyncSync(descriptor)
    } finally {
      closeSync(descriptor)
    }
    return temporary
  } catch (cause) {
    removeLeft(temporary)
    throw cannotWrite(file, cause)
  }
}

function openNew(temporary: string, file: string, mode: number | undefined): number {
  try {
    return openSync(temporary, 'wx', mode ?? 0o666)
  } catch (cause) {
    // There is nothing to take away, and a name that is too long could not be.
    throw cannotWrite(file, cause)
  }
}
