import { randomUUID } from 'node:crypto'
import { rmdirSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { WaybillError } from '../../error.ts'
import { createAtomically, lookThrough, makeFolders, refused } from '../../workspace/index.ts'
import type { App } from '../operation.ts'

/** Returns the output folder for a document: the named one, or the document's own. */
export function folderFor(
  to: string | undefined,
  file: string | undefined,
  { cwd }: App,
): string | undefined {
  if (to === undefined) return file === undefined ? undefined : dirname(file)
  const folder = resolve(cwd, to)
  if (lookThrough(folder, to)?.isDirectory() !== false) return folder
  throw new WaybillError('usage', `${to} is not a folder`, { hint: 'name another one with --to' })
}

/** Refuses `-` as an output file: it means standard input elsewhere. */
export function refuseDash(path: string, flag: string): void {
  if (path !== '-') return
  throw new WaybillError('usage', `${flag} takes a file, not standard output`, {
    hint: `name a file, or use ${flag} ./- for a file with that name`,
  })
}

/** Writes a new file; fails if it exists. */
export function writeNew(file: string, text: string, other = 'folder with --to'): void {
  makeFolder(dirname(file))
  if (createAtomically(file, text)) return
  throw new WaybillError('exists', `${file} already exists and is not overwritten`, {
    hint: `move it away, or name another ${other}`,
  })
}

/** Creates a folder and checks that it is writable; returns a function that removes what it created, if empty. */
export function prepareFolder(folder: string): () => void {
  const first = makeFolder(folder)
  const probe = join(folder, `.waybill.${randomUUID()}`)
  try {
    writeFileSync(probe, '', { flag: 'wx' })
    rmSync(probe)
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException
    throw new WaybillError('input-output', `cannot write to ${folder} (${code})`, {
      hint: 'name another folder with --to',
      cause,
    })
  }
  return () => {
    if (first !== undefined) removeEmpty(folder, first)
  }
}

function removeEmpty(folder: string, first: string): void {
  try {
    for (let at = folder; at.length >= first.length; at = dirname(at)) rmdirSync(at)
  } catch {
    // The folder is not empty.
  }
}

/** Creates a folder and its parents; returns the first one created. */
function makeFolder(folder: string): string | undefined {
  try {
    return makeFolders(folder)
  } catch (cause) {
    throw refused(`cannot create the folder ${folder}`, cause)
  }
}

/** The path of a written receipt, or the reason why it was not written. */
export type ReceiptFile = { readonly file: string } | { readonly why: string }

/** Maximum number of receipts for one id in a folder. */
const MOST_RECEIPTS = 1000

/** Writes a receipt under the first free name: `<id>.receipt.json`, then `<id>.<index>.receipt.json` and so on. */
export function writeReceipt(
  folder: string | undefined,
  id: string | undefined,
  { index, value }: { readonly index: number; readonly value: unknown },
): ReceiptFile {
  if (id === undefined) return { why: 'the document has no valid id' }
  if (folder === undefined) return { why: 'standard input has no folder; name one with --to' }
  const text = `${JSON.stringify(value, null, 2)}\n`
  try {
    makeFolder(folder)
    for (let number = 0; number < MOST_RECEIPTS; number++) {
      const file = join(folder, `${id}${numbered(number, index)}.receipt.json`)
      if (createAtomically(file, text)) return { file }
    }
    return { why: `too many receipts of ${id} exist there` }
  } catch (error) {
    // The log has the answer even without this file.
    return { why: error instanceof Error ? error.message : String(error) }
  }
}

function numbered(number: number, index: number): string {
  if (number === 0) return ''
  return number === 1 ? `.${index}` : `.${index}-${number}`
}
