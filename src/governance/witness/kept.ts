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
 * Creates the folder of cosigned checkpoints; returns whether it was missing although the witness key exists.
 *
 * The folder is created before the key, so a key without the folder means that it was lost.
 */
export function readyKept(root: string): { readonly isGone: boolean } {
  if (hasWitnessKey(root)) return { isGone: lookInState(root, FOLDER) === undefined }
  openStateFolder(root, FOLDER)
  return { isGone: false }
}

/** The file of a log's last cosigned checkpoint; creates its folder. */
export function keptFile(root: string, origin: string): string {
  return join(openStateFolder(root, FOLDER), nameOf(origin))
}

/** The last cosigned checkpoint of a log, or nothing; creates no folder. */
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
  // Do not treat an unreadable file as absent: any history would then be cosigned.
  if ('fault' in checkpoint) throw damaged(file, checkpoint.fault)
  if (checkpoint.origin !== origin) throw damaged(file, `it belongs to ${checkpoint.origin}`)
  return { checkpoint, note }
}

function damaged(file: string, why: string): WaybillError {
  return new WaybillError(
    'ledger-tampered',
    `${file} is not the checkpoint that was cosigned: ${why}`,
    {
      hint: 'nothing was cosigned; restore the newest copy of that file',
    },
  )
}

/** Stores a checkpoint; returns once it is on disk. */
export function keep(file: string, note: string): void {
  replaceDurably(file, note)
}

const nameOf = (origin: string) => sha256(origin).slice(0, 32)
