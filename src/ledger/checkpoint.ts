import { WaybillError } from '../error.ts'
import { fromBase64, toBase64 } from './base64.ts'
import { parseDecimal } from './decimal.ts'
import type { Faulty } from './fault.ts'
import { HASH_SIZE, type Hash } from './hash.ts'
import { type NoteVerifier, openNote } from './note.ts'

/** What a log signs of itself (C2SP tlog-checkpoint): who it is, how many entries it has, and their root. */
export interface Checkpoint {
  readonly origin: string
  readonly size: number
  readonly root: Hash
  /** Further lines; read, because others may write them, but never written by us. */
  readonly extensions?: readonly string[]
}

/** A checkpoint with the signed note that it was read from, and the keys whose signatures were checked. */
export interface OpenedCheckpoint {
  readonly checkpoint: Checkpoint
  readonly note: string
  readonly verified: readonly string[]
}

/** Writes the text of a checkpoint, ready to be signed. */
export function formatCheckpoint({ origin, size, root }: Checkpoint): string {
  const text = `${origin}\n${size}\n${toBase64(root)}\n`
  const read = parseCheckpoint(text)
  if ('fault' in read || read.origin !== origin)
    throw new WaybillError('internal', 'a checkpoint was to be written that cannot be read back')
  return text
}

/** Reads the text of a checkpoint, which is the text of its note. */
export function parseCheckpoint(text: string): Checkpoint | Faulty {
  if (!text.endsWith('\n')) return { fault: 'the last line of the checkpoint has no newline' }
  const [origin = '', size = '', root = '', ...extensions] = text.slice(0, -1).split('\n')
  if (origin === '') return { fault: 'the checkpoint names no origin' }
  const count = parseDecimal(size)
  if (count === undefined) return { fault: `the size '${shown(size)}' is no decimal number` }
  const hash = fromBase64(root)
  if (hash?.length !== HASH_SIZE) return { fault: 'the root is not the base64 of 32 bytes' }
  if (extensions.includes('')) return { fault: 'the checkpoint has an empty line' }
  const checkpoint = { origin, size: count, root: hash }
  return extensions.length === 0 ? checkpoint : { ...checkpoint, extensions }
}

const shown = (text: string) => (text.length > 20 ? `${text.slice(0, 20)}…` : text)

/** Reads a signed checkpoint of a known origin and checks the signatures of its trusted keys. */
export async function openCheckpoint(
  note: string,
  origin: string,
  verifiers: readonly NoteVerifier[],
): Promise<OpenedCheckpoint | Faulty> {
  const opened = await openNote(note, verifiers)
  if ('fault' in opened) return opened
  const checkpoint = parseCheckpoint(opened.note.text)
  if ('fault' in checkpoint) return checkpoint
  // A key may be trusted for several logs: its signature alone does not tell which one this is.
  return checkpoint.origin === origin
    ? { checkpoint, note, verified: opened.verified }
    : { fault: `this is a checkpoint of ${checkpoint.origin}, not of ${origin}` }
}
