import { randomUUID } from 'node:crypto'
import { rmdirSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { WaybillError } from '../../error.ts'
import { createAtomically, lookThrough, makeFolders, refused } from '../../workspace/index.ts'
import type { App } from '../operation.ts'

/** The folder for what comes of a document: the one that is named, or that of the document. */
export function folderFor(
  to: string | undefined,
  file: string | undefined,
  { cwd }: App,
): string | undefined {
  if (to === undefined) return file === undefined ? undefined : dirname(file)
  const folder = resolve(cwd, to)
  if (lookThrough(folder, to)?.isDirectory() !== false) return folder
  throw new WaybillError('usage', `${to} is no folder`, { hint: 'name another one with --to' })
}

/** Refuses `-` for a file that is written: it stands for standard input elsewhere, and is hardly meant as a name. */
export function refuseDash(path: string, flag: string): void {
  if (path !== '-') return
  throw new WaybillError('usage', `${flag} takes a file, and not standard output`, {
    hint: `name a file, or write ${flag} ./- for one of that name`,
  })
}

/** Writes a new file; one that is there stays, and is an error. */
export function writeNew(file: string, text: string, other = 'folder with --to'): void {
  makeFolder(dirname(file))
  if (createAtomically(file, text)) return
  throw new WaybillError('exists', `${file} exists already, and is not overwritten`, {
    hint: `move it away, or name another ${other}`,
  })
}

/**
 * Finds out whether files can be written into a folder, before anything is recorded that counts on it.
 *
 * The folder is made; what is given takes away again what stayed empty of it.
 */
export function prepareFolder(folder: string): () => void {
  const first = makeFolder(folder)
  const probe = join(folder, `.waybill.${randomUUID()}`)
  try {
    writeFileSync(probe, '', { flag: 'wx' })
    rmSync(probe)
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException
    throw new WaybillError('input-output', `nothing can be written into ${folder} (${code})`, {
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
    // There is something in it.
  }
}

/** Makes a folder with those above it; gives the first that was not there. */
function makeFolder(folder: string): string | undefined {
  try {
    return makeFolders(folder)
  } catch (cause) {
    throw refused(`the folder ${folder} cannot be made`, cause)
  }
}

/** Where a receipt was written, or else why it was not. */
export type ReceiptFile = { readonly file: string } | { readonly why: string }

/** Receipts of one id that stand beside each other; whoever has more keeps them elsewhere. */
const MOST_RECEIPTS = 1000

/** Writes a receipt under the first name that is free: `<id>.receipt.json`, then with the number of the entry and so on. */
export function writeReceipt(
  folder: string | undefined,
  id: string | undefined,
  { index, value }: { readonly index: number; readonly value: unknown },
): ReceiptFile {
  if (id === undefined) return { why: 'the document has no id that is well-formed' }
  if (folder === undefined) return { why: 'standard input stands in no folder; name one with --to' }
  const text = `${JSON.stringify(value, null, 2)}\n`
  try {
    makeFolder(folder)
    for (let number = 0; number < MOST_RECEIPTS; number++) {
      const file = join(folder, `${id}${numbered(number, index)}.receipt.json`)
      if (createAtomically(file, text)) return { file }
    }
    return { why: `too many receipts of ${id} stand there already` }
  } catch (error) {
    // The answer is in the log, with or without a copy of its receipt here.
    return { why: error instanceof Error ? error.message : String(error) }
  }
}

function numbered(number: number, index: number): string {
  if (number === 0) return ''
  return number === 1 ? `.${index}` : `.${index}-${number}`
}
