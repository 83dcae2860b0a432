import { WaybillError } from '../error.ts'
import { concat } from './bytes.ts'
import { parseCheckpoint } from './checkpoint.ts'
import type { NoteSigner, NoteVerifier } from './note.ts'
import { COSIGNATURE, type VerifierKey, type VerifyEd25519 } from './note-key.ts'

/** A witness's signature, with the time at which the log had only appended, in seconds since the epoch. */
export interface Cosignature {
  readonly time: number
  readonly signature: Uint8Array
}

const TIME_SIZE = 8
const SIGNATURE_SIZE = 64

/**
 * The bytes that a witness signs: a header, the time, and the text of the checkpoint (C2SP tlog-cosignature, Ed25519).
 */
function cosignedMessage(time: number, checkpoint: Uint8Array): Uint8Array {
  return concat(new TextEncoder().encode(`cosignature/v1\ntime ${time}\n`), checkpoint)
}

/** Encodes a cosignature as in a note, after the key id. */
export function formatCosignature({ time, signature }: Cosignature): Uint8Array {
  const bytes = new Uint8Array(TIME_SIZE)
  new DataView(bytes.buffer).setBigUint64(0, BigInt(time))
  return concat(bytes, signature)
}

/** Decodes a cosignature; refuses times beyond 2^53 seconds. */
export function parseCosignature(bytes: Uint8Array): Cosignature | undefined {
  if (bytes.length !== TIME_SIZE + SIGNATURE_SIZE) return undefined
  const view = new DataView(bytes.buffer, bytes.byteOffset, TIME_SIZE)
  const time = Number(view.getBigUint64(0))
  return Number.isSafeInteger(time) ? { time, signature: bytes.subarray(TIME_SIZE) } : undefined
}

/** Verifies a witness's cosignatures. */
export function cosignatureVerifier(key: VerifierKey, verify: VerifyEd25519): NoteVerifier {
  const { name, id, type, publicKey } = key
  return {
    name,
    id,
    verify: (text, bytes) => {
      const found = parseCosignature(bytes)
      if (type !== COSIGNATURE || !found || !isCheckpoint(text)) return false
      return verify(publicKey, cosignedMessage(found.time, text), found.signature)
    },
  }
}

/**
 * Cosigns checkpoints with a time, in whole seconds since the epoch. The caller must have checked that the log only
 * appended.
 */
export function cosigner(
  { name, id }: VerifierKey,
  sign: (message: Uint8Array) => Uint8Array,
  time: number,
): NoteSigner {
  return {
    name,
    id,
    sign: text => {
      if (!isCheckpoint(text))
        throw new WaybillError('internal', 'cannot cosign a text that is not a checkpoint')
      return formatCosignature({ time, signature: sign(cosignedMessage(time, text)) })
    },
  }
}

const isCheckpoint = (text: Uint8Array) =>
  !('fault' in parseCheckpoint(new TextDecoder().decode(text)))
