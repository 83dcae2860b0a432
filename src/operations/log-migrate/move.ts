import { WaybillError } from '../../error.ts'
import {
  fileStorage,
  hasOpenFiles,
  type Keys,
  ledgerFolder,
  lockOf,
  logWriting,
  openLogReader,
  type Trust,
} from '../../governance/index.ts'
import {
  type LogReader,
  readSeal,
  type Seal,
  type SignedCheckpoint,
  sealFileLog,
  toHex,
} from '../../ledger/index.ts'
import { movePostgresLog, type PostgresMove } from '../../store/index.ts'
import { hasDatabase } from '../database/open.ts'
import { logDatabase, readHead, refuseWorkers, sealUnused } from '../log/postgres-storage.ts'
import type { App } from '../operation.ts'
import { clockOf, compareWhole, copyPublished, type Progress } from './copy.ts'
import type { LogMigrateOutput } from './output.ts'

/** The installation whose log is moved. */
export interface Moving {
  readonly trust: Trust
  readonly keys: Keys
}

interface MovingLog extends Moving {
  readonly origin: string
}

type Moved = Pick<LogMigrateOutput, 'outcome' | 'size' | 'root'>

/**
 * Moves a log from its files into the database, or goes on with that.
 *
 * The files are live until they are sealed; the database is once that is done. In between nobody can append anywhere.
 */
export async function moveLog(app: App, { trust, keys }: Moving): Promise<Moved> {
  const { root } = app
  const { origin } = keys
  const folder = ledgerFolder(root)
  const seal = readSeal(folder)
  if (!seal && !hasOpenFiles(root)) {
    // Where there is no database yet, nobody is at work in it.
    if (hasDatabase(app)) await refuseWorkers(await logDatabase(app), AT_WORK)
    await sealUnused(app)
    return { outcome: 'nothing-to-move', size: 0, root: null }
  }
  if (origin === undefined) {
    if (seal?.size === 0) return { outcome: 'was-moved', size: 0, root: null }
    throw noOrigin(folder)
  }
  const moving = { trust, keys, origin }
  const url = await logDatabase(app)
  const { isMoving, ...head } = await readHead(url)
  if (seal && !isMoving) return asMovedBefore(seal, head, origin)
  if (!seal) await refuseWorkers(url, AT_WORK)
  // The files say what is at fault with the log before the database is told of it.
  const log = await openFiles(root, moving)
  await log.checkpoint()
  const signed = await movePostgresLog(url, origin, async move => {
    const moved = seal ? await goOn(log, move) : await moveAndSeal(app, moving, log, move)
    const { size } = moved.checkpoint
    await move.end({ size, note: moved.note, clock: await clockOf(log) })
    return moved
  })
  const { size, root: hash } = signed.checkpoint
  return { outcome: 'moved', size, root: toHex(hash) }
}

/** The log in files for reading, sealed or not. */
function openFiles(root: string, { origin, trust }: MovingLog): Promise<LogReader> {
  return openLogReader(fileStorage(root), { origin, trust })
}

async function moveAndSeal(
  app: App,
  { origin, trust, keys }: MovingLog,
  log: LogReader,
  move: PostgresMove,
): Promise<SignedCheckpoint> {
  const { root, now, clock = () => now, stateHome } = app
  const progress: Progress = (done, total) => app.progress?.(done, total, 'entries')
  // Most of it while others go on: they wait for the rest only.
  await copyPublished(log, move, progress)
  const storage = fileStorage(root)
  const opening = { storage, origin, trust, keys, now: clock, wall: clock, stateHome }
  const { guardVerifier: _, ...writing } = logWriting(
    root,
    { ...opening, worker: undefined },
    await storage.head(),
  )
  const sealed: SignedCheckpoint[] = []
  await sealFileLog(ledgerFolder(root), { ...writing, lock: lockOf(root) }, async signed => {
    await copyPublished(log, move, progress)
    await compareWhole(log, move, signed)
    sealed.push(signed)
    return { to: 'postgres', size: signed.checkpoint.size, at: new Date(clock()).toISOString() }
  })
  const [signed] = sealed
  if (!signed) throw new WaybillError('internal', 'the log was sealed without being moved')
  return signed
}

/** Goes on where the files are sealed, and the database does not know that it has all of them. */
async function goOn(log: LogReader, move: PostgresMove): Promise<SignedCheckpoint> {
  const signed = await log.checkpoint()
  if (!signed) throw new WaybillError('ledger-tampered', 'the sealed log has no checkpoint')
  await compareWhole(log, move, signed)
  return signed
}

const AT_WORK = {
  where: 'in the database that the log is moved to',
  hint: 'end them (Ctrl-C), move the log, write ledger: postgres in waybill.yaml, and start them anew',
}

function noOrigin(folder: string): WaybillError {
  return new WaybillError('configuration', `there are no keys for the log in ${folder}`, {
    hint: 'put .waybill/keys back: the log is moved by whoever may sign for it',
  })
}

function asMovedBefore(
  { size }: Seal,
  head: { readonly origin: string | undefined; readonly size: number },
  origin: string,
): Moved {
  if (size === 0 || (head.origin === origin && head.size >= size))
    return { outcome: 'was-moved', size, root: null }
  throw new WaybillError(
    'ledger-tampered',
    `the log was moved with ${size} entries, and the database has not got them`,
    { hint: 'look whether DATABASE_URL names the right database, or put its newest backup back' },
  )
}
