import { join } from 'node:path'
import { counted } from '../../contract/index.ts'
import { type Checkpoint, parseCheckpoint, parseNote } from '../../ledger/index.ts'
import { readOwnFile } from '../../workspace/index.ts'
import { standing } from '../trust/trust.ts'
import type { AuditCode } from './codes.ts'
import type { AuditTrust, CheckpointKey } from './trust.ts'

/** A checkpoint with the trusted keys that signed it. */
export interface TrustedCheckpoint {
  readonly checkpoint: Checkpoint
  readonly note: string
  readonly keys: readonly CheckpointKey[]
}

/** Why a checkpoint is not accepted. */
export interface CheckpointFault {
  readonly code: AuditCode
  readonly detail: string
}

/** The longest checkpoint accepted, in bytes, cosignatures included. */
export const MOST_BYTES = 1_048_576

/** Returns the system's error code, or else the message. */
export function whyNot(cause: unknown): string {
  const { code, message } = cause as NodeJS.ErrnoException
  return code ?? message
}

/** Reads the checkpoint in a log's folder. */
export function readNote(folder: string): string | CheckpointFault {
  try {
    const note = readOwnFile(join(folder, 'checkpoint'), MOST_BYTES)
    return (
      note?.toString() ?? { code: 'ledger/checkpoint-missing', detail: 'there is no checkpoint' }
    )
  } catch (cause) {
    return { code: 'ledger/unreadable', detail: `the checkpoint cannot be read (${whyNot(cause)})` }
  }
}

/** Verifies a signed checkpoint; with `isPast`, a key revoked since then still counts. */
export function openTrusted(
  text: string,
  trust: AuditTrust,
  isPast = false,
): TrustedCheckpoint | CheckpointFault {
  const note = parseNote(text)
  if ('fault' in note) return { code: 'ledger/checkpoint-malformed', detail: note.fault }
  const checkpoint = parseCheckpoint(note.text)
  if ('fault' in checkpoint)
    return { code: 'ledger/checkpoint-malformed', detail: checkpoint.fault }
  if (trust.origin !== undefined && checkpoint.origin !== trust.origin) {
    const detail = `its origin is ${checkpoint.origin}, but ${trust.origin} is expected here`
    return { code: 'ledger/wrong-origin', detail }
  }
  const message = Buffer.from(note.text)
  const keys: CheckpointKey[] = []
  for (const { name, id, bytes } of note.signatures) {
    const key = trust.checkpoints.find(one => one.name === name && one.id === id)
    // A key may be trusted for several logs, so its name must match the origin.
    if (!key || name !== checkpoint.origin) continue
    if (!key.verify(message, bytes)) {
      const detail = `the signature of ${name}+${id} does not match`
      return { code: 'ledger/checkpoint-bad-signature', detail }
    }
    keys.push(key)
  }
  const counting = isPast ? keys : keys.filter(({ revoked }) => revoked === undefined)
  if (counting.length > 0) return { checkpoint, note: text, keys: counting }
  const [revoked] = keys
  if (revoked) {
    const key = `${revoked.name}+${revoked.id}`
    const detail = `only the revoked key ${key} has signed it, for ${counted(checkpoint.size, 'entry', 'entries')}`
    return { code: 'ledger/checkpoint-key-revoked', detail }
  }
  const names = note.signatures.map(({ name, id }) => `${name}+${id}`).join(', ')
  return { code: 'ledger/checkpoint-untrusted', detail: `no trusted key has signed it: ${names}` }
}

/** Milliseconds that a key may expire before the last entry: a running write keeps the keys that it started with. */
const LATE = 60_000

/** Returns a fault if every key of a checkpoint expired before its last entry; a newer key may sign older entries. */
export function whyEnded(
  { keys }: TrustedCheckpoint,
  latest: number | undefined,
): CheckpointFault | undefined {
  if (latest === undefined) return undefined
  const ended = keys.filter(key => standing(key, latest - LATE) === 'expired')
  if (ended.length < keys.length) return undefined
  const names = ended.map(({ name, id }) => `${name}+${id}`).join(', ')
  const detail = `${names} expired before the time of the last entry`
  return { code: 'ledger/checkpoint-key-ended', detail }
}
