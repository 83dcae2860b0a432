import { fromBase64, toBase64 } from './base64.ts'
import { type Checkpoint, openCheckpoint, parseCheckpoint } from './checkpoint.ts'
import { parseDecimal } from './decimal.ts'
import type { Faulty } from './fault.ts'
import { emptyRoot, HASH_SIZE, type Hash, isSame, type Sha256 } from './hash.ts'
import { type NoteVerifier, parseNote } from './note.ts'
import { isConsistent } from './proofs.ts'

/**
 * A log's request to a witness (C2SP tlog-witness, add-checkpoint): its new checkpoint, and the consistency proof
 * since `old`.
 */
export interface WitnessRequest {
  readonly old: number
  readonly proof: readonly Hash[]
  /** The signed note. */
  readonly checkpoint: string
}

/** The state of a witness: the keys of each log, and its last cosigned checkpoint. */
export interface WitnessKnowledge {
  /** Undefined for an unknown log. */
  verifiersOf(origin: string): readonly NoteVerifier[] | undefined
  /** Undefined if it has not cosigned any. */
  lastOf(origin: string): Pick<Checkpoint, 'size' | 'root'> | undefined
}

/** Why a witness refuses; from `rolled-back` on, the log is known to have signed the request. */
export type WitnessRefusal =
  | 'malformed'
  | 'unknown-log'
  | 'bad-signature'
  | 'rolled-back'
  | 'old-size'
  | 'forked'
  | 'inconsistent'

/**
 * A witness's answer, with its HTTP status. For 200, store the checkpoint before cosigning `note`; 409 may carry
 * `size`.
 */
export type WitnessAnswer =
  | { readonly status: 200; readonly checkpoint: Checkpoint; readonly note: string }
  | {
      readonly status: 400 | 403 | 404 | 422
      readonly reason: WitnessRefusal
      readonly fault: string
    }
  | {
      readonly status: 409
      readonly reason: WitnessRefusal
      readonly fault: string
      readonly size: number
    }

const MOST_HASHES = 63

/** Formats the body of an add-checkpoint request. */
export function formatWitnessRequest({ old, proof, checkpoint }: WitnessRequest): string {
  return `old ${old}\n${formatHashes(proof)}\n${checkpoint}`
}

/** Parses the body of an add-checkpoint request without verifying it. */
export function parseWitnessRequest(body: string): WitnessRequest | Faulty {
  const end = body.indexOf('\n\n')
  if (end === -1) return { fault: 'no empty line before the checkpoint' }
  const [head = '', ...lines] = body.slice(0, end).split('\n')
  const old = head.startsWith('old ') ? parseDecimal(head.slice(4)) : undefined
  if (old === undefined) return { fault: "the first line is not 'old <size>'" }
  const proof = parseHashes(lines)
  return proof
    ? { old, proof, checkpoint: body.slice(end + 2) }
    : { fault: `the proof is not at most ${MOST_HASHES} lines of base64, each of 32 bytes` }
}

/** Formats the hashes of a proof, one per line. */
export function formatHashes(hashes: readonly Hash[]): string {
  return hashes.map(hash => `${toBase64(hash)}\n`).join('')
}

/** Parses the hashes of a proof; returns nothing if one is malformed or there are more than any tree needs. */
export function parseHashes(lines: readonly string[]): readonly Hash[] | undefined {
  if (lines.length > MOST_HASHES) return undefined
  const hashes = lines.map(fromBase64).filter(hash => hash?.length === HASH_SIZE)
  return hashes.length === lines.length ? hashes.filter(hash => hash !== undefined) : undefined
}

/** Decides as a witness what to answer. Reading the last checkpoint and storing the new one must be atomic. */
export async function judgeWitnessRequest(
  sha256: Sha256,
  body: string,
  knowledge: WitnessKnowledge,
): Promise<WitnessAnswer> {
  const request = parseWitnessRequest(body)
  if ('fault' in request) return { status: 400, reason: 'malformed', fault: request.fault }
  const note = parseNote(request.checkpoint)
  const claimed = 'fault' in note ? note : parseCheckpoint(note.text)
  if ('fault' in claimed) return { status: 400, reason: 'malformed', fault: claimed.fault }
  const verifiers = knowledge.verifiersOf(claimed.origin)
  if (!verifiers) {
    const fault = `the log ${claimed.origin} is not in this witness's configuration`
    return { status: 404, reason: 'unknown-log', fault }
  }
  const opened = await openCheckpoint(request.checkpoint, claimed.origin, verifiers)
  if ('fault' in opened) return { status: 403, reason: 'bad-signature', fault: opened.fault }
  const refused = refusal(sha256, request, opened.checkpoint, knowledge.lastOf(claimed.origin))
  return refused ?? { status: 200, checkpoint: opened.checkpoint, note: request.checkpoint }
}

function refusal(
  sha256: Sha256,
  { old, proof }: WitnessRequest,
  { size, root }: Checkpoint,
  known: Pick<Checkpoint, 'size' | 'root'> | undefined,
): Exclude<WitnessAnswer, { status: 200 }> | undefined {
  const last = known ?? { size: 0, root: emptyRoot(sha256) }
  const isOlder = size < last.size
  if (old > size) {
    const fault = `old size ${old} is above the size ${size}`
    return { status: 400, reason: isOlder ? 'rolled-back' : 'malformed', fault }
  }
  if (old !== last.size) {
    const fault = `the last cosigned size is ${last.size}`
    return { status: 409, reason: isOlder ? 'rolled-back' : 'old-size', size: last.size, fault }
  }
  // The empty log has only one root: another one is malformed, not a fork.
  if (old === size && size > 0 && !isSame(root, last.root)) {
    const fault = `another root was cosigned at size ${size}`
    return { status: 409, reason: 'forked', size: last.size, fault }
  }
  const claim = { first: old, second: size, firstRoot: last.root, secondRoot: root, proof }
  return isConsistent(sha256, claim)
    ? undefined
    : {
        status: 422,
        reason: 'inconsistent',
        fault: `the consistency proof from ${old} to ${size} does not verify`,
      }
}
