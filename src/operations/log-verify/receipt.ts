import { resolve } from 'node:path'
import { readDocuments } from '../../document/index.ts'
import { WaybillError } from '../../error.ts'
import type { ReceiptGiven } from '../../governance/index.ts'
import { readOwnFile } from '../../workspace/index.ts'
import type { App } from '../operation.ts'

/** Size limit of a receipt with its entry, in bytes. */
const MOST_BYTES = 64 * 1024 ** 2

/** Reads a receipt file; invalid or ambiguous JSON becomes a receipt with a fault. */
export async function readReceipt(path: string, { cwd }: App): Promise<ReceiptGiven> {
  const file = resolve(cwd, path)
  const text = readFile(file, path).toString()
  const [document] = (await readDocuments(text, 'json')).documents
  const fault = document?.faults[0]?.message
  return fault === undefined ? { file, value: document?.value } : { file, value: null, fault }
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
