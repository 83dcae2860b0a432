import { WaybillError } from '../../error.ts'
import {
  fileStorage,
  hasOpenFiles,
  type Keys,
  ledgerFolder,
  lockOf,
  logWriting,
  openLogReader,
  refuseCopy,
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

/** Trust and keys of the log to move. */
export interface Moving {
  readonly trust: Trust
  readonly keys: Keys
}

interface MovingLog extends Moving {
  readonly origin: string
}

type Moved = Pick<LogMigrateOutput, 'outcome' | 'size' | 'root'>

/**
 * Moves a log from files into the database, or continues an interrupted move.
 *
 * Appends go to the files until they are sealed, then to the database; in between they are refused.
 */
export async function moveLog(app: App, { trust, keys }: Moving): Promise<Moved> {
  const { root } = app
  const { origin } = keys
  const folder = ledgerFolder(root)
  const seal = readSeal(folder)
  if (!seal && !hasOpenFiles(root)) {
    // Without a database there are no workers.
    if (hasDatabase(app)) await refuseWorkers(await logDatabase(app), AT_WORK)
    await sealUnused(app)
    return { outcome: 'nothing-to-move', size: 0, root: null }
  }
  if (origin === undefined) {
    if (seal?.size === 0) return { outcome: 'was-moved', size: 0, root: null }
    throw noOrigin(folder)
  }
  const moving = { trust, keys, origin }
  refuseCopy(root, origin, app.stateHome)
  const url = await logDatabase(app)
  const { isMoving, ...head } = await readHead(url)
  if (seal && !isMoving) return asMovedBefore(seal, head, origin)
  if (!seal) await refuseWorkers(url, AT_WORK)
  // Verify the files before writing to the database.
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

/** Opens the log in files for reading, sealed or not. */
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
  // Copy most entries before blocking appends.
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
  if (!signed) throw new WaybillError('internal', 'the log was sealed without a copy')
  return signed
}

/** Continues after the files were sealed but the database was not completed. */
async function goOn(log: LogReader, move: PostgresMove): Promise<SignedCheckpoint> {
  const signed = await log.checkpoint()
  if (!signed) throw new WaybillError('ledger-tampered', 'the sealed log has no checkpoint')
  await compareWhole(log, move, signed)
  return signed
}

const AT_WORK = {
  where: 'in the target database',
  hint: 'stop them (Ctrl-C), move the log, set ledger: postgres in waybill.yaml, and restart them',
}

function noOrigin(folder: string): WaybillError {
  return new WaybillError('configuration', `no keys for the log in ${folder}`, {
    hint: 'restore .waybill/keys: moving the log needs its keys',
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
    `the log was moved with ${size} entries, but the database does not have them`,
    { hint: 'check that DATABASE_URL names the right database, or restore its latest backup' },
  )
}
