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

/** Atomically replaces a file: readers see either the old or the new text. */
export function writeAtomically(file: string, text: string): void {
  const temporary = writeTemporary(file, text, modeOf(file))
  try {
    renameSync(temporary, file)
  } catch (cause) {
    removeLeft(temporary)
    throw cannotWrite(file, cause)
  }
}

/** Writes a new file; returns false and keeps the existing file if there is one. */
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
 * Creates a folder and its parents; returns the first one that did not exist.
 *
 * Creates level by level: Node's recursive mkdir never returns where folders cannot be created, as in /proc.
 */
export function makeFolders(folder: string, mode?: number): string | undefined {
  const missing: string[] = []
  for (let at = folder; !existsSync(at); at = dirname(at)) missing.unshift(at)
  for (const level of missing) {
    try {
      mkdirSync(level, mode)
    } catch (cause) {
      // Another process may have created it by now.
      if (!isFolder(level)) throw cause
    }
  }
  return missing[0]
}

/** Removes the leftovers of a failed write; ignores errors, since the first failure is the one to report. */
export function removeLeft(path: string): void {
  try {
    rmSync(path, { recursive: true, force: true })
  } catch {
    // The original error is reported.
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
      // Restore the permissions that the umask removed.
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
    // Nothing to remove, and a name that is too long could not be removed.
    throw cannotWrite(file, cause)
  }
}
