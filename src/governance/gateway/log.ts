import { verify as verifySignature } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { uptime } from 'node:os'
import { counted } from '../../contract/index.ts'
import { formatInstant } from '../../document/index.ts'
import { WaybillError } from '../../error.ts'
import {
  type FileReaderOptions,
  type Log,
  type LogReader,
  type NoteVerifier,
  openCheckpoint,
  parseNote,
} from '../../ledger/index.ts'
import { voucherOf } from '../audit/voucher.ts'
import { keysOf } from '../entries/entry.ts'
import type { Keys } from '../keys/open-keys.ts'
import type { Trust, TrustedKey } from '../trust/trust.ts'
import type { Clocks } from './clock.ts'
import { makeGuards } from './guards.ts'
import { noKeys } from './no-keys.ts'
import { type LogHead, type LogStorage, type LogWriting, textIfThere } from './storage.ts'

/** Options for opening a repository's log for writing. */
export interface LogOpening {
  readonly storage: LogStorage
  readonly origin: string
  readonly trust: Trust
  readonly keys: Keys
  /** The current time, in milliseconds since the epoch, which decides which keys are valid. */
  readonly now: () => number
  /** The wall clock, kept to detect that it was set. */
  readonly wall: () => number
  readonly stateHome: string | undefined
  readonly worker: (() => URL) | undefined
}

/** Opens the log of a repository for writing. */
export async function openLog(
  root: string,
  opening: LogOpening,
  head: LogHead | undefined,
): Promise<Log> {
  return opening.storage.openForWriting(logWriting(root, opening, head))
}

/**
 * Returns the writing options of a repository's log: its valid keys and its guards.
 *
 * @throws {WaybillError} 'configuration' when no valid key is here.
 */
export function logWriting(
  root: string,
  { storage, origin, trust, keys, now, wall, stateHome, worker }: LogOpening,
  head: LogHead | undefined,
): LogWriting {
  // Keys are valid by gateway time, which never decreases.
  const at = Math.max(now(), head?.clock?.time ?? 0)
  const checkpoints = keys.logSigner(origin, at)
  const gateway = keys.signer('gateway', origin, at)
  if (!checkpoints || !gateway) {
    const what = checkpoints ? 'gateway' : 'log'
    throw noKeys(
      `no key here is one that waybill.yaml lists for the ${what} ${origin} at this time`,
    )
  }
  const guards = makeGuards(root, { origin, storage, stateHome })
  return {
    origin,
    checkpointSigner: checkpoints,
    checkpointVerifier: [
      ...verifiersOf(trust, origin),
      ...headVerifiers(trust, origin, head?.note, guards),
    ],
    guardVerifier: trust.of('log', origin).flatMap(verifierOf),
    promiseSigner: gateway,
    guards,
    now,
    wall,
    keysOf,
    vouch: voucherOf(trust, origin),
    ...(worker && { worker }),
  }
}

/** Options for opening a log for reading. */
type LogReading = Pick<LogOpening, 'origin' | 'trust'> & Pick<FileReaderOptions, 'isPromisedRead'>

/** Opens the log of a repository for reading. */
export function openLogReader(
  storage: LogStorage,
  { origin, trust, isPromisedRead = false }: LogReading,
): Promise<LogReader> {
  return storage.openForReading({
    origin,
    isPromisedRead,
    checkpointVerifier: verifiersOf(trust, origin),
    refused: async note => {
      const head = await revokedIn(note, { origin, trust })
      return head && noVoucher(head)
    },
    keysOf,
    vouch: voucherOf(trust, origin),
  })
}

/** Returns the verifiers of a log's checkpoints: every key not revoked, because a checkpoint outlives a rotation. */
export function verifiersOf(trust: Trust, origin: string): readonly NoteVerifier[] {
  const living = trust.of('log', origin).filter(({ revoked }) => revoked === undefined)
  return living.flatMap(verifierOf)
}

/**
 * Returns verifiers that accept the present head by a revoked key, and only if the guards hold the same note. Without
 * them the log could not be continued, not even under a new key.
 */
function headVerifiers(
  trust: Trust,
  origin: string,
  note: string | undefined,
  guards: readonly string[],
): readonly NoteVerifier[] {
  const head = note === undefined ? undefined : noteText(note)
  const kept = guards.map(textIfThere).filter(text => text !== undefined)
  if (head === undefined || kept.length === 0 || kept.some(text => noteText(text) !== head))
    return []
  const revoked = trust.of('log', origin).filter(key => key.revoked !== undefined)
  return revoked.flatMap(verifierOf).map(key => ({
    ...key,
    verify: (message, signature) =>
      Buffer.from(head).equals(message) && key.verify(message, signature),
  }))
}

/** A checkpoint signed only by keys that were revoked since. */
export interface RevokedHead {
  /** How many entries it covers. */
  readonly size: number
  /** The time of revocation, in milliseconds since the epoch. */
  readonly revoked: number
}

function noVoucher({ size, revoked }: RevokedHead): WaybillError {
  const covered = counted(size, 'entry', 'entries')
  return new WaybillError(
    'configuration',
    `the key that signed for the ${covered} of the log was revoked at ${formatInstant(revoked)}, and no other key has signed for them since`,
    {
      hint: 'run waybill init: it creates a new key for the log and signs the same entries with it; until then, verify them with waybill log verify --key <the revoked key>',
    },
  )
}

/** Returns the published checkpoint if only a revoked key signed it; ignores its other faults. */
export async function revokedHead(
  storage: LogStorage,
  { origin, trust }: Pick<LogOpening, 'origin' | 'trust'>,
): Promise<RevokedHead | undefined> {
  const { note } = (await storage.head()) ?? {}
  return note === undefined ? undefined : revokedIn(note, { origin, trust })
}

async function revokedIn(
  note: string,
  { origin, trust }: Pick<LogOpening, 'origin' | 'trust'>,
): Promise<RevokedHead | undefined> {
  if (!('fault' in (await openCheckpoint(note, origin, verifiersOf(trust, origin)))))
    return undefined
  for (const key of trust.of('log', origin)) {
    const opened = await openCheckpoint(note, origin, verifierOf(key))
    if (key.revoked !== undefined && !('fault' in opened))
      return { size: opened.checkpoint.size, revoked: key.revoked }
  }
  return undefined
}

/** Returns the signed text of a note; empty if malformed. */
function noteText(text: string): string {
  const note = parseNote(text)
  return 'fault' in note ? '' : note.text
}

function verifierOf({ publicKey }: TrustedKey): readonly NoteVerifier[] {
  if (!publicKey.note) return []
  const verify = (message: Uint8Array, signature: Uint8Array) =>
    verifySignature(null, message, publicKey.key, signature)
  return [{ ...publicKey.note, verify }]
}

/** Reads the clocks of this machine. */
export function clocksNow(wall: number): Clocks {
  return { wall, boot: bootId(), uptime: uptime() * 1000 }
}

let boot: string | undefined

function bootId(): string {
  boot ??= readBootId()
  return boot
}

function readBootId(): string {
  try {
    return readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim()
  } catch {
    return ''
  }
}
