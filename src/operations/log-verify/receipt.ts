import { resolve } from 'node:path'
import { WaybillError } from '../../error.ts'
import { readOwnFile } from '../../workspace/index.ts'
import type { App } from '../operation.ts'

/** No receipt with its entry is larger. */
const MOST_BYTES = 64 * 1024 ** 2

/** Reads the file of a receipt; what is no JSON is a receipt that says nothing. */
export function readReceipt(
  path: string,
  { cwd }: App,
): { readonly file: string; readonly value: unknown } {
  const file = resolve(cwd, path)
  const bytes = readFile(file, path)
  try {
    return { file, value: JSON.parse(bytes.toString()) }
  } catch {
    return { file, value: null }
  }
}

function readFile(file: string, shown: string): Buffer {
  let bytes: Buffer | undefined
  try {
    bytes = readOwnFile(file, MOST_BYTES)
  } catch (cause) {
    const { code, message } = cause as NodeJS.ErrnoException
    throw new WaybillError('input-output', `${shown} cannot be read (${code ?? message})`, {
      cause,
    })
  }
  if (bytes) return bytes
  throw new WaybillError('not-found', `the receipt ${shown} does not exist`)
}
