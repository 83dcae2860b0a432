import { verify as verifySignature } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync } from 'node:fs'
import { uptime } from 'node:os'
import { join } from 'node:path'
import { counted } from '../../contract/index.ts'
import { formatInstant } from '../../document/index.ts'
import { WaybillError } from '../../error.ts'
import {
  type Log,
  type LogReader,
  type NoteVerifier,
  openCheckpoint,
  openFileLog,
  openFileLogReader,
  parseNote,
} from '../../ledger/index.ts'
import { holdLock, openStateFolder, sha256, stateFolder } from '../../workspace/index.ts'
import { keysOf } from '../entries/entry.ts'
import { keysFolder } from '../keys/key-files.ts'
import type { Keys } from '../keys/open-keys.ts'
import type { Trust, TrustedKey } from '../trust/trust.ts'
import type { Clocks } from './clock.ts'
import { noKeys } from './no-keys.ts'

const FOLDER = 'ledger'
const GUARD = 'checkpoint'

/** Where the log of a repository stands. */
export function ledgerFolder(root: string): string {
  return join(stateFolder(root), FOLDER)
}

/** What it takes to open the log of a repository for writing. */
export interface LogOpening {
  readonly origin: string
  readonly trust: Trust
  readonly keys: Keys
  /** Milliseconds since 1970; which keys count follows from it. */
  readonly now: () => number
  /** What the wall clock says: kept, so that it can be told when it was set. */
  readonly wall: () => number
  readonly stateHome: string | undefined
  readonly worker: (() => URL) | undefined
}

/** Opens the log of a repository for writing; one process at a time has it. */
export async function openLog(root: string, opening: LogOpening): Promise<Log> {
  const { origin, trust, keys, now, wall, stateHome, worker } = opening
  // Keys count by gateway time, which does not go back with the clock.
  const last = await openLogReader(root, opening).lastClock()
  const at = Math.max(now(), last?.time ?? 0)
  const checkpoints = keys.logSigner(origin, at)
  const gateway = keys.signer('gateway', origin, at)
  if (!checkpoints || !gateway) {
    const what = checkpoints ? 'gateway' : 'log'
    throw noKeys(
      `there is no key here that waybill.yaml lists for the ${what} ${origin} at this time`,
    )
  }
  const folder = join(openStateFolder(root), FOLDER)
  const guards = guardsOf(root, origin, stateHome)
  return openFileLog(folder, {
    origin,
    checkpointSigner: checkpoints,
    checkpointVerifier: [
      ...verifiersOf(trust, origin),
      ...headVerifiers(trust, origin, [join(folder, 'checkpoint'), ...guards]),
    ],
    promiseSigner: gateway,
    lock: { hold: () => holdLock(root, folder) },
    guards,
    now,
    wall,
    keysOf,
    ...(worker && { worker }),
  })
}

/** Opens the log of a repository for reading; `undefined` where there is none yet. */
export function openLogReader(
  root: string,
  { origin, trust }: Pick<LogOpening, 'origin' | 'trust'>,
): LogReader {
  return openFileLogReader(ledgerFolder(root), {
    origin,
    checkpointVerifier: verifiersOf(trust, origin),
    refused: async note => {
      const head = await revokedIn(note, { origin, trust })
      return head && noVoucher(head)
    },
    keysOf,
  })
}

/** What checks the notes of a log: by every key of it that trust lists, for a checkpoint stays when its key is succeeded. */
export function verifiersOf(trust: Trust, origin: string): readonly NoteVerifier[] {
  const living = trust.of('log', origin).filter(({ revoked }) => revoked === undefined)
  return living.flatMap(verifierOf)
}

/**
 * What checks the head of a log whose key was revoked since: that note alone, and only where the guards hold it as well.
 * Without that nobody could go on from it, not even to put it under a new key.
 */
function headVerifiers(
  trust: Trust,
  origin: string,
  [checkpoint = '', ...guards]: readonly string[],
): readonly NoteVerifier[] {
  const head = noteTextIn(checkpoint)
  const kept = guards.map(noteTextIn).filter(text => text !== undefined)
  if (head === undefined || kept.length === 0 || kept.some(text => text !== head)) return []
  const revoked = trust.of('log', origin).filter(key => key.revoked !== undefined)
  return revoked.flatMap(verifierOf).map(key => ({
    ...key,
    verify: (message, signature) =>
      Buffer.from(head).equals(message) && key.verify(message, signature),
  }))
}

/** A checkpoint that no key vouches for any more: those that have signed it were revoked since. */
export interface RevokedHead {
  /** How many entries it covers. */
  readonly size: number
  /** Since when, in milliseconds since 1970. */
  readonly revoked: number
}

function noVoucher({ size, revoked }: RevokedHead): WaybillError {
  const covered = counted(size, 'entry', 'entries')
  return new WaybillError(
    'configuration',
    `the key that signed for the ${covered} of the log was revoked at ${formatInstant(revoked)}, and no other has signed for them since`,
    {
      hint: 'waybill init makes a new key for the log and signs the same entries with it; until then waybill log verify --key <the revoked key> verifies them',
    },
  )
}

/** Whether the published checkpoint of a log is one by a revoked key alone; nothing is said of any other fault of it. */
export async function revokedHead(
  root: string,
  { origin, trust }: Pick<LogOpening, 'origin' | 'trust'>,
): Promise<RevokedHead | undefined> {
  const note = readIfThere(join(ledgerFolder(root), 'checkpoint'))
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

/** The signed text of a note in a file; empty for what is no note, undefined where there is no file. */
function noteTextIn(file: string): string | undefined {
  const text = readIfThere(file)
  const note = text === undefined ? undefined : parseNote(text)
  return note && 'fault' in note ? '' : note?.text
}

/** What cannot be read is empty. */
function readIfThere(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8')
  } catch (cause) {
    return (cause as NodeJS.ErrnoException).code === 'ENOENT' ? undefined : ''
  }
}

function verifierOf({ publicKey }: TrustedKey): readonly NoteVerifier[] {
  if (!publicKey.note) return []
  const verify = (message: Uint8Array, signature: Uint8Array) =>
    verifySignature(null, message, publicKey.key, signature)
  return [{ ...publicKey.note, verify }]
}

/**
 * Where the last checkpoint is kept outside of the log: beside the keys, and in a folder of the user. Who puts back an
 * old copy of the log, or of the whole repository, is found out by one of them.
 */
function guardsOf(root: string, origin: string, stateHome: string | undefined): readonly string[] {
  if (stateHome !== undefined) mkdirSync(join(stateHome, GUARD), { recursive: true, mode: 0o700 })
  return guardFiles(root, origin, stateHome)
}

/** The files that remember the last checkpoint of a log outside of it, whether they are there or not. */
export function guardFiles(
  root: string,
  origin: string,
  stateHome: string | undefined,
): readonly string[] {
  const beside = join(keysFolder(root), GUARD)
  if (stateHome === undefined) return [beside]
  return [beside, join(stateHome, GUARD, sha256(origin).slice(0, 32))]
}

/**
 * The guards that a log which has entries lacks. Another folder of the user, or another machine: it cannot be told then
 * whether an old copy was put back.
 */
export function absentGuards(
  root: string,
  origin: string,
  stateHome: string | undefined,
): readonly string[] {
  if (!existsSync(join(ledgerFolder(root), 'checkpoint'))) return []
  return guardFiles(root, origin, stateHome).filter(file => !existsSync(file))
}

/** What the clocks of this machine say now, with what the wall clock says. */
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
