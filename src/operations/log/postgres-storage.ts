import { hostname } from 'node:os'
import { WaybillError } from '../../error.ts'
import {
  hasOpenFiles,
  type LogHead,
  type LogStorage,
  ledgerFolder,
  lockOf,
} from '../../governance/index.ts'
import { type LogReader, readSeal, sealFolder } from '../../ledger/index.ts'
import type { PostgresHead } from '../../store/index.ts'
import { type Waiting, waitingFor } from '../database/waiting.ts'
import type { App } from '../operation.ts'

/** Keeps the log in PostgreSQL, where several machines share it. */
export function postgresStorage(app: App): LogStorage {
  const { root } = app
  const waiting = waitingFor(app)
  const reaching = <T>(work: () => Promise<T>) => waiting(reached(work))
  let found: Promise<string> | undefined
  const url = () => {
    found ??= logDatabase(app)
    return found
  }
  return {
    kind: 'postgres',
    restore:
      'look whether DATABASE_URL names the right database; if it does, put the newest backup of it back',
    head: () =>
      reaching(async () => {
        refuseOpenFiles(root)
        return headOf(await readHead(await url()))
      }),
    isBegun: () => reaching(async () => hasOpenFiles(root) || isInDatabase(app)),
    openForWriting: options =>
      reaching(async () => {
        if (!readSeal(ledgerFolder(root))) await sealUnlessAtWork(await url(), app)
        const { openPostgresLog } = await loadStore()
        return openPostgresLog(await url(), options)
      }),
    openForReading: options =>
      reaching(async () => {
        refuseOpenFiles(root)
        const { openPostgresLogReader } = await loadStore()
        return waitedLog(openPostgresLogReader(await url(), options), waiting)
      }),
  }
}

/** The same log, whose answers are waited for as those of other databases: it may fall silent after it was opened. */
function waitedLog(log: LogReader, waiting: Waiting): LogReader {
  return {
    origin: log.origin,
    checkpoint: () => waiting(log.checkpoint()),
    tile: tile => waiting(log.tile(tile)),
    content: index => waiting(log.content(index)),
    find: key => waiting(log.find(key)),
    size: () => waiting(log.size()),
    lastClock: () => waiting(log.lastClock()),
  }
}

/** Whether a database that is there holds a log: for asking alone none is made. */
async function isInDatabase(app: App): Promise<boolean> {
  const { databaseUrl, hasDatabase } = await import('../database/open.ts')
  if (!hasDatabase(app)) return false
  const { readPostgresHead } = await loadStore()
  const head = await readPostgresHead(await databaseUrl(app))
  return head !== 'unmigrated' && (head.isMoving || head.origin !== undefined)
}

/** The address of the database that the log is in, with all its tables. */
export async function logDatabase(app: App): Promise<string> {
  const { databaseUrl } = await import('../database/open.ts')
  const { openStore, readPostgresHead } = await loadStore()
  const url = await databaseUrl(app)
  if ((await readPostgresHead(url)) !== 'unmigrated') return url
  const store = await openStore({ url })
  try {
    await store.migrate()
  } finally {
    await store.close()
  }
  return url
}

/** What a migrated database says of its log. */
export async function readHead(url: string): Promise<PostgresHead> {
  const { readPostgresHead } = await loadStore()
  const head = await readPostgresHead(url)
  if (head !== 'unmigrated') return head
  throw new WaybillError('store-unavailable', 'the database has lost the tables of the log', {
    hint: 'put the newest backup of it back',
  })
}

/** The store is loaded by whoever needs it: a log in files does not. */
const loadStore = () => import('../../store/index.ts')

function headOf({ origin, note, clock, size, isMoving }: PostgresHead): LogHead | undefined {
  if (isMoving)
    throw new WaybillError('conflict', 'the log is being moved into this database', {
      hint: 'where that was interrupted, run waybill log migrate --to postgres again where the files are',
    })
  if (origin === undefined) return undefined
  // What a guard speaks of is in the database before it is published.
  return { note, clock, size, has: wanted => wanted <= size }
}

/** An installation has one log: one in files goes on there until it is moved. */
function refuseOpenFiles(root: string): void {
  if (!hasOpenFiles(root)) return
  throw new WaybillError(
    'conflict',
    `waybill.yaml says ledger: postgres, and the log is in ${ledgerFolder(root)} still`,
    { hint: 'waybill log migrate --to postgres moves it; until then nothing is written' },
  )
}

/** Seals the unused files here, unless a worker that was started before waybill.yaml said so might still begin a log in them. */
async function sealUnlessAtWork(url: string, app: App): Promise<void> {
  // Once the log has begun in the database, those that are at work write it there.
  const { origin } = await readHead(url)
  if (origin === undefined)
    await refuseWorkers(url, {
      host: hostname(),
      where: 'here, and the log that waybill.yaml now puts into PostgreSQL has not begun there',
      hint: 'end them (Ctrl-C), do this again, and start them anew',
    })
  await sealUnused(app)
}

/** A worker could go on with nothing once the files are sealed: it keeps the log that it was started with. */
export async function refuseWorkers(
  url: string,
  { host, where, hint }: { readonly host?: string; readonly where: string; readonly hint: string },
): Promise<void> {
  const [{ LEASE }, { countWorkers }] = await Promise.all([
    import('../../mission/index.ts'),
    loadStore(),
  ])
  const count = await countWorkers(url, LEASE, host)
  if (count === 0) return
  const those = count === 1 ? 'a worker is' : `${count} workers are`
  throw new WaybillError('conflict', `${those} at work ${where}`, { hint })
}

/** Whoever checks out an older waybill.yaml on this machine must not begin a second log in files. */
export async function sealUnused({ root, now }: App): Promise<void> {
  const folder = ledgerFolder(root)
  if (readSeal(folder)) return
  const held = await lockOf(root).hold()
  try {
    refuseOpenFiles(root)
    sealFolder(folder, { to: 'postgres', size: 0, at: new Date(now).toISOString() })
  } finally {
    held.release()
  }
}

/** What is wrong with the database keeps the log from being reached; it is not for lack of keys. */
async function reached<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (cause) {
    if (!(cause instanceof WaybillError) || cause.code !== 'configuration') throw cause
    throw new WaybillError('store-unavailable', `the log cannot be reached: ${cause.message}`, {
      cause,
      ...(cause.hint !== undefined && { hint: cause.hint }),
    })
  }
}
