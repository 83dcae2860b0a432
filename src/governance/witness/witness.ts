import {
  type Checkpoint,
  cosigner,
  formatSignature,
  judgeWitnessRequest,
  parseCheckpoint,
  parseNote,
  parseWitnessRequest,
  type SignedCheckpoint,
  type WitnessAnswer,
  type WitnessRefusal,
} from '../../ledger/index.ts'
import { holdLock } from '../../workspace/index.ts'
import { digestBytes } from '../digest.ts'
import type { WitnessKey } from '../keys/witness-key.ts'
import type { WitnessCode } from './codes.ts'
import { keep, keptFile, readKept } from './kept.ts'
import type { WitnessedLogs } from './logs.ts'

/** Two checkpoints of one log of which the later does not go on from the earlier, or is not shown to. */
export interface Fork {
  readonly origin: string
  readonly code: 'witness/forked' | 'witness/inconsistent'
  readonly cosigned: SignedCheckpoint
  readonly refused: SignedCheckpoint
}

/** What a witness answers to a request. */
export interface WitnessReply {
  /** As an HTTP status. */
  readonly status: WitnessAnswer['status']
  /** The cosignature line; nothing if it was refused. */
  readonly line: string | undefined
  readonly code: WitnessCode | undefined
  readonly detail: string
  /** As far as the request can be read. */
  readonly origin: string | undefined
  readonly size: number | undefined
  /** How much of the log is cosigned after this. */
  readonly cosigned: number | undefined
  readonly fork: Fork | undefined
}

/** What it takes to be a witness. */
interface WitnessOptions {
  readonly root: string
  readonly key: WitnessKey
  readonly logs: WitnessedLogs
  /** Milliseconds since 1970. */
  readonly now: () => number
}

/** Cosigns checkpoints of logs of others that only grow (C2SP tlog-witness). */
export class Witness {
  readonly #options: WitnessOptions
  /** One request after another, so that those of one process need not wait for each other's lock. */
  #last: Promise<unknown> = Promise.resolve()

  constructor(options: WitnessOptions) {
    this.#options = options
  }

  /** Answers the body of an add-checkpoint request. */
  async answer(body: string): Promise<WitnessReply> {
    const shown = shownIn(body)
    const early = await this.#judge(body, undefined)
    // What does not depend on what is kept is answered without a lock, so that nobody can hold it up.
    const isEarly = early.status === 403 || early.status === 404 || !shown
    if (isEarly)
      return replyTo(early, shown, early.status === 403 && shown ? this.#kept(shown) : undefined)
    const answered = this.#last.then(() => this.#answerLocked(body, shown))
    this.#last = answered.catch(() => undefined)
    return answered
  }

  /** What is kept of a log, to be told alone: nothing is decided by it, so nobody waits for others. */
  #kept({ checkpoint }: SignedCheckpoint): SignedCheckpoint | undefined {
    return readKept(this.#options.root, checkpoint.origin)
  }

  async #answerLocked(body: string, shown: SignedCheckpoint): Promise<WitnessReply> {
    const { root, key, now } = this.#options
    const { origin } = shown.checkpoint
    const file = keptFile(root, origin)
    const held = await holdLock(root, file)
    try {
      const kept = readKept(root, origin)
      const answer = await this.#judge(body, kept?.checkpoint)
      if (answer.status !== 200) return replyTo(answer, shown, kept)
      // Before it is signed: who is killed in between has cosigned nothing that is not kept.
      if (answer.note !== kept?.note) keep(file, answer.note)
      const signer = cosigner(key.key, key.sign, Math.floor(now() / 1000))
      const bytes = signer.sign(textOf(answer.note))
      const line = formatSignature({ ...key.key, bytes })
      const cosigned = answer.checkpoint.size
      return { ...replyTo(answer, shown, kept), line, cosigned }
    } finally {
      held.release()
    }
  }

  #judge(body: string, last: Checkpoint | undefined): Promise<WitnessAnswer> {
    const { logs } = this.#options
    return judgeWitnessRequest(digestBytes, body, {
      verifiersOf: origin => logs.verifiersOf(origin),
      lastOf: () => last,
    })
  }
}

/** The checkpoint in a request, which nobody has vouched for yet. */
function shownIn(body: string): SignedCheckpoint | undefined {
  const request = parseWitnessRequest(body)
  const note = 'fault' in request ? request : parseNote(request.checkpoint)
  const checkpoint = 'fault' in note ? note : parseCheckpoint(note.text)
  if ('fault' in request || 'fault' in checkpoint) return undefined
  return { checkpoint, note: request.checkpoint }
}

function textOf(note: string): Uint8Array {
  const parsed = parseNote(note)
  return new TextEncoder().encode('fault' in parsed ? '' : parsed.text)
}

const CODES: Readonly<Record<WitnessRefusal, WitnessCode>> = {
  malformed: 'witness/request-malformed',
  'unknown-log': 'witness/unknown-log',
  'bad-signature': 'witness/bad-signature',
  'rolled-back': 'witness/rolled-back',
  'old-size': 'witness/old-size',
  forked: 'witness/forked',
  inconsistent: 'witness/inconsistent',
}

function replyTo(
  answer: WitnessAnswer,
  shown: SignedCheckpoint | undefined,
  kept: SignedCheckpoint | undefined,
): WitnessReply {
  const isRefused = answer.status !== 200
  return {
    status: answer.status,
    line: undefined,
    code: isRefused ? CODES[answer.reason] : undefined,
    detail: isRefused ? answer.fault : '',
    origin: shown?.checkpoint.origin,
    size: shown?.checkpoint.size,
    cosigned: answer.status === 409 ? answer.size : kept?.checkpoint.size,
    fork: isRefused ? forkIn(answer.reason, shown, kept) : undefined,
  }
}

/** Only what the log has signed is held against it, and it is asked after that has been checked. */
function forkIn(
  reason: WitnessRefusal,
  refused: SignedCheckpoint | undefined,
  cosigned: SignedCheckpoint | undefined,
): Fork | undefined {
  if (!refused || !cosigned || (reason !== 'forked' && reason !== 'inconsistent')) return undefined
  const { origin } = refused.checkpoint
  return { origin, code: `witness/${reason}`, cosigned, refused }
}
