import { WaybillError } from '../error.ts'
import { fromBase64, toBase64 } from './base64.ts'
import { parseDecimal } from './decimal.ts'
import type { Faulty } from './fault.ts'
import { HASH_SIZE, type Hash } from './hash.ts'
import { type NoteVerifier, openNote } from './note.ts'

/** The state that a log signs (C2SP tlog-checkpoint): origin, number of entries, and root. */
export interface Checkpoint {
  readonly origin: string
  readonly size: number
  readonly root: Hash
  /** Extension lines; read from other logs, never written. */
  readonly extensions?: readonly string[]
}

/** A checkpoint with its signed note and the keys whose signatures were verified. */
export interface OpenedCheckpoint {
  readonly checkpoint: Checkpoint
  readonly note: string
  readonly verified: readonly string[]
}

/** Formats the text of a checkpoint, ready to sign. */
export function formatCheckpoint({ origin, size, root }: Checkpoint): string {
  const text = `${origin}\n${size}\n${toBase64(root)}\n`
  const read = parseCheckpoint(text)
  if ('fault' in read || read.origin !== origin)
    throw new WaybillError('internal', 'cannot write a checkpoint that does not parse')
  return text
}

/** Parses the text of a checkpoint, which is the text of its note. */
export function parseCheckpoint(text: string): Checkpoint | Faulty {
  if (!text.endsWith('\n')) return { fault: 'the last line of the checkpoint has no newline' }
  const [origin = '', size = '', root = '', ...extensions] = text.slice(0, -1).split('\n')
  if (origin === '') return { fault: 'the checkpoint names no origin' }
  const count = parseDecimal(size)
  if (count === undefined) return { fault: `the size '${shown(size)}' is not a decimal number` }
  const hash = fromBase64(root)
  if (hash?.length !== HASH_SIZE) return { fault: 'the root is not the base64 of 32 bytes' }
  if (extensions.includes('')) return { fault: 'the checkpoint has an empty line' }
  const checkpoint = { origin, size: count, root: hash }
  return extensions.length === 0 ? checkpoint : { ...checkpoint, extensions }
}

const shown = (text: string) => (text.length > 20 ? `${text.slice(0, 20)}…` : text)

/** Parses a signed checkpoint of a known origin and verifies the signatures of its trusted keys. */
export async function openCheckpoint(
  note: string,
  origin: string,
  verifiers: readonly NoteVerifier[],
): Promise<OpenedCheckpoint | Faulty> {
  const opened = await openNote(note, verifiers)
  if ('fault' in opened) return opened
  const checkpoint = parseCheckpoint(opened.note.text)
  if ('fault' in checkpoint) return checkpoint
  // A key may be trusted for several logs, so check the origin too.
  return checkpoint.origin === origin
    ? { checkpoint, note, verified: opened.verified }
    : { fault: `this is a checkpoint of ${checkpoint.origin}, not of ${origin}` }
}
