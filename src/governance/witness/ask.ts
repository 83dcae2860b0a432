import {
  consistencyProof,
  cosignatureVerifier,
  formatNote,
  formatWitnessRequest,
  keyOf,
  type LogReader,
  type Note,
  type NoteSignature,
  type Party,
  parseSignatures,
  type SignedCheckpoint,
} from '../../ledger/index.ts'
import { digestBytes } from '../digest.ts'
import type { WitnessFault } from './codes.ts'
import { verifyEd25519 } from './ed25519.ts'
import type { Memory } from './memory.ts'
import { type Patience, postText, type Reply, readPrefix } from './post.ts'

/** The checkpoint that witnesses are asked to cosign. */
export interface Question {
  readonly log: LogReader
  readonly signed: SignedCheckpoint
  /** The note of the checkpoint, with only the log's signatures. */
  readonly note: Note
  readonly memory: Memory
  readonly patience: Patience
}

/** The answer of a witness: verified cosignatures, or a fault. */
export type Asked = { readonly signatures: readonly NoteSignature[] } | WitnessFault

/** Asks a witness to cosign a checkpoint (C2SP tlog-witness, add-checkpoint). */
export async function askWitness(party: Party, question: Question): Promise<Asked> {
  const url = readPrefix(party.url)
  if ('code' in url) return url
  url.pathname = `${url.pathname.replace(/\/$/, '')}/add-checkpoint`
  const { size } = question.signed.checkpoint
  const { memory } = question
  const old = Math.min(memory.sizeOf(party.key), size)
  const first = await ask(url, old, question)
  if ('code' in first) return first
  const known = first.status === 409 ? readSize(first.text) : undefined
  // Retry only once: a witness could keep naming other sizes.
  const isWorthAsking = known !== undefined && known <= size && known !== old
  const reply = isWorthAsking ? await ask(url, known, question) : first
  if ('code' in reply) return reply
  if (reply.status !== 200) return whyNot(reply, size)
  const asked = await cosignaturesIn(reply.text, party, question)
  if ('signatures' in asked) memory.keep(party.key, size)
  return asked
}

async function ask(
  url: URL,
  old: number,
  { log, signed, note, patience }: Question,
): Promise<Reply | WitnessFault> {
  const { size } = signed.checkpoint
  const proof = await consistencyProof(digestBytes, old, size, tile => log.tile(tile))
  const checkpoint = formatNote(note.text, note.signatures)
  return postText(url, formatWitnessRequest({ old, proof, checkpoint }), patience)
}

function readSize(text: string): number | undefined {
  const size = /^(?:0|[1-9][0-9]{0,15})\n$/.test(text) ? Number(text) : Number.NaN
  return Number.isSafeInteger(size) ? size : undefined
}

function whyNot({ status, text }: Reply, size: number): WitnessFault {
  switch (status) {
    case 403:
      return { code: 'witness/key-not-known', detail: 'it does not know the key of the log' }
    case 404:
      return { code: 'witness/log-not-known', detail: 'it does not know the log' }
    case 409:
      return whyConflict(readSize(text), size)
    case 422: {
      const detail = 'this log does not extend what it cosigned before'
      return { code: 'witness/disagrees', detail }
    }
    default:
      return { code: 'witness/refused', detail: `it answers with the status ${status}` }
  }
}

function whyConflict(known: number | undefined, size: number): WitnessFault {
  if (known === undefined)
    return {
      code: 'witness/answer-malformed',
      detail: 'it knows another size, but does not state it',
    }
  if (known > size) {
    const detail = `it has cosigned ${known} entries of this log, which has only ${size} here`
    return { code: 'witness/ahead', detail }
  }
  const detail = `it has cosigned another log with this name, with ${known} entries`
  return { code: 'witness/disagrees', detail }
}

/** The cosignatures by the witness's key; all must verify, and those by other keys are ignored. */
async function cosignaturesIn(text: string, { key }: Party, { note }: Question): Promise<Asked> {
  const read = parseSignatures(text)
  if ('fault' in read) return { code: 'witness/answer-malformed', detail: read.fault }
  const verifier = cosignatureVerifier(key, verifyEd25519)
  const message = new TextEncoder().encode(note.text)
  const own = read.signatures.filter(one => keyOf(one) === keyOf(key))
  for (const { bytes } of own)
    if (!(await verifier.verify(message, bytes)))
      return { code: 'witness/bad-cosignature', detail: 'its signature does not verify' }
  if (own.length > 0) return { signatures: own.slice(-1) }
  const others = read.signatures.map(keyOf).join(', ')
  return { code: 'witness/not-cosigned', detail: `only ${others} signed` }
}
