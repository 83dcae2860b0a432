import { mkdirSync, statSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { WaybillError } from '../../error.ts'
import { createAtomically } from '../../workspace/index.ts'
import type { App } from '../operation.ts'

/** The folder for what comes of a document: the one that is named, or that of the document. */
export function folderFor(
  to: string | undefined,
  file: string | undefined,
  { cwd }: App,
): string | undefined {
  if (to === undefined) return file === undefined ? undefined : dirname(file)
  const folder = resolve(cwd, to)
  if (statSync(folder, { throwIfNoEntry: false })?.isDirectory() !== false) return folder
  throw new WaybillError('usage', `${to} is no folder`, { hint: 'name another one with --to' })
}

/** Writes a new file; one that is there stays, and is an error. */
export function writeNew(file: string, text: string): void {
  makeFolder(file)
  if (createAtomically(file, text)) return
  throw new WaybillError('exists', `${file} exists already, and is not overwritten`, {
    hint: 'move it away, or name another folder with --to',
  })
}

/** The folder that was named is made when there is something to put into it. */
function makeFolder(file: string): void {
  try {
    mkdirSync(dirname(file), { recursive: true })
  } catch (cause) {
    throw new WaybillError('input-output', `the folder ${dirname(file)} cannot be made`, { cause })
  }
}

/** Writes a receipt beside a document under the first of some names that is free; gives the file, or nothing. */
export function writeReceipt(
  folder: string,
  names: readonly string[],
  value: unknown,
): string | undefined {
  const text = `${JSON.stringify(value, null, 2)}\n`
  for (const name of names) {
    const file = join(folder, name)
    try {
      makeFolder(file)
      if (createAtomically(file, text)) return file
    } catch {
      // The answer is in the log, with or without a copy of its receipt here.
      return undefined
    }
  }
  return undefined
}
