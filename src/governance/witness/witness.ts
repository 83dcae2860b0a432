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

/** Two checkpoints of one log where the later does not extend the earlier, or is not proved to. */
export interface Fork {
  readonly origin: string
  readonly code: 'witness/forked' | 'witness/inconsistent'
  readonly cosigned: SignedCheckpoint
  readonly refused: SignedCheckpoint
}

/** The answer of a witness to a request. */
export interface WitnessReply {
  /** The HTTP status. */
  readonly status: WitnessAnswer['status']
  /** The cosignature line; absent if refused. */
  readonly line: string | undefined
  readonly code: WitnessCode | undefined
  readonly detail: string
  /** As far as the request could be parsed. */
  readonly origin: string | undefined
  readonly size: number | undefined
  /** The cosigned size after this request. */
  readonly cosigned: number | undefined
  readonly fork: Fork | undefined
}

/** The inputs of a witness. */
interface WitnessOptions {
  readonly root: string
  readonly key: WitnessKey
  readonly logs: WitnessedLogs
  /** Milliseconds since the epoch. */
  readonly now: () => number
}

/** Cosigns checkpoints of other logs that only append (C2SP tlog-witness). */
export class Witness {
  readonly #options: WitnessOptions
  /** Requests run one at a time, so that one process does not contend for its own lock. */
  #last: Promise<unknown> = Promise.resolve()

  constructor(options: WitnessOptions) {
    this.#options = options
  }

  /** Answers the body of an add-checkpoint request. */
  async answer(body: string): Promise<WitnessReply> {
    const shown = shownIn(body)
    const early = await this.#judge(body, undefined)
    // Answer without the lock whatever does not depend on stored state, so that clients cannot block it.
    const isEarly = early.status === 403 || early.status === 404 || !shown
    if (isEarly)
      return replyTo(early, shown, early.status === 403 && shown ? this.#kept(shown) : undefined)
    const answered = this.#last.then(() => this.#answerLocked(body, shown))
    this.#last = answered.catch(() => undefined)
    return answered
  }

  /** The stored checkpoint of a log, read without the lock: for display only, no decision depends on it. */
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
      // Store before signing: after a crash nothing is cosigned that is not stored.
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

/** The checkpoint in a request, not verified yet. */
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

/** Accuse a log only by what it signed; checked before the log is asked. */
function forkIn(
  reason: WitnessRefusal,
  refused: SignedCheckpoint | undefined,
  cosigned: SignedCheckpoint | undefined,
): Fork | undefined {
  if (!refused || !cosigned || (reason !== 'forked' && reason !== 'inconsistent')) return undefined
  const { origin } = refused.checkpoint
  return { origin, code: `witness/${reason}`, cosigned, refused }
}
