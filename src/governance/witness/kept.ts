import { join } from 'node:path'
import { WaybillError } from '../../error.ts'
import {
  parseCheckpoint,
  parseNote,
  replaceDurably,
  type SignedCheckpoint,
} from '../../ledger/index.ts'
import {
  cannotRead,
  lookInState,
  openStateFolder,
  readOwnFile,
  sha256,
  stateFolder,
} from '../../workspace/index.ts'
import { MOST_BYTES } from '../audit/checkpoint.ts'
import { hasWitnessKey } from '../keys/witness-key.ts'

const FOLDER = 'witness'

/**
 * Readies the folder of what is cosigned here; answers whether it is gone, though there is a key to cosign with.
 *
 * It is made before the key, so where there is a key there was this folder.
 */
export function readyKept(root: string): { readonly isGone: boolean } {
  if (hasWitnessKey(root)) return { isGone: lookInState(root, FOLDER) === undefined }
  openStateFolder(root, FOLDER)
  return { isGone: false }
}

/** The file with the last checkpoint of a log that was cosigned here; its folder is made where it is missing. */
export function keptFile(root: string, origin: string): string {
  return join(openStateFolder(root, FOLDER), nameOf(origin))
}

/** The last checkpoint of a log that was cosigned here, and nothing where none was; makes no folder. */
export function readKept(root: string, origin: string): SignedCheckpoint | undefined {
  const file = join(stateFolder(root), FOLDER, nameOf(origin))
  let note: string | undefined
  try {
    note = readOwnFile(file, MOST_BYTES)?.toString()
  } catch (cause) {
    throw cannotRead(file, cause)
  }
  if (note === undefined) return undefined
  const parsed = parseNote(note)
  const checkpoint = 'fault' in parsed ? parsed : parseCheckpoint(parsed.text)
  // What cannot be read is not taken for nothing: then any history would be cosigned.
  if ('fault' in checkpoint) throw damaged(file, checkpoint.fault)
  if (checkpoint.origin !== origin) throw damaged(file, `it is that of ${checkpoint.origin}`)
  return { checkpoint, note }
}

function damaged(file: string, why: string): WaybillError {
  return new WaybillError(
    'ledger-tampered',
    `${file} is not the checkpoint that was cosigned: ${why}`,
    {
      hint: 'nothing was cosigned; put the newest copy of that file back',
    },
  )
}

/** Keeps a checkpoint; when this returns it is on the disk. */
export function keep(file: string, note: string): void {
  replaceDurably(file, note)
}

const nameOf = (origin: string) => sha256(origin).slice(0, 32)
