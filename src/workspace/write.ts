import { closeSync, fsyncSync, linkSync, openSync, renameSync, rmSync, writeSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { WaybillError } from '../error.ts'

/** Replaces a file as one step: readers see the old text or the new one, never a part of either. */
export function writeAtomically(file: string, text: string): void {
  const temporary = writeTemporary(file, text)
  try {
    renameSync(temporary, file)
  } catch (cause) {
    rmSync(temporary, { force: true })
    throw cannotWrite(file, cause)
  }
}

/** Writes a file that is not there yet; gives whether it did, and leaves an existing one alone. */
export function createAtomically(file: string, text: string): boolean {
  const temporary = writeTemporary(file, text)
  try {
    linkSync(temporary, file)
    return true
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code === 'EEXIST') return false
    throw cannotWrite(file, cause)
  } finally {
    rmSync(temporary, { force: true })
  }
}

function writeTemporary(file: string, text: string): string {
  const temporary = join(
    dirname(file),
    `.${basename(file)}.${process.getBuiltinModule('node:crypto').randomUUID()}`,
  )
  try {
    const descriptor = openSync(temporary, 'wx')
    try {
      writeSync(descriptor, text)
      fsyncSync(descriptor)
    } finally {
      closeSync(descriptor)
    }
    return temporary
  } catch (cause) {
    rmSync(temporary, { force: true })
    throw cannotWrite(file, cause)
  }
}

function cannotWrite(file: string, cause: unknown): WaybillError {
  const reason = (cause as NodeJS.ErrnoException).code ?? String(cause)
  return new WaybillError('input-output', `${file} cannot be written (${reason})`, { cause })
}
