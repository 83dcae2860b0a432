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

/** Stores the log in PostgreSQL, where machines can share it. */
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
      'check that DATABASE_URL names the right database; if it does, restore its latest backup',
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

/** Returns a log that reports slow answers and can be cancelled. */
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

/** Tells whether an existing database has a log; creates none. */
async function isInDatabase(app: App): Promise<boolean> {
  const { databaseUrl, hasDatabase } = await import('../database/open.ts')
  if (!hasDatabase(app)) return false
  const { readPostgresHead } = await loadStore()
  const head = await readPostgresHead(await databaseUrl(app))
  return head !== 'unmigrated' && (head.isMoving || head.origin !== undefined)
}

/** Returns the address of the database of the log, migrated if needed. */
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

/** Reads the head of the log in a migrated database. */
export async function readHead(url: string): Promise<PostgresHead> {
  const { readPostgresHead } = await loadStore()
  const head = await readPostgresHead(url)
  if (head !== 'unmigrated') return head
  throw new WaybillError('store-unavailable', 'the database lacks the tables of the log', {
    hint: 'restore its latest backup',
  })
}

/** Loaded on demand: a log in files does not need it. */
const loadStore = () => import('../../store/index.ts')

function headOf({ origin, note, clock, size, isMoving }: PostgresHead): LogHead | undefined {
  if (isMoving)
    throw new WaybillError('conflict', 'the log is being moved into this database', {
      hint: 'if the move was interrupted, run waybill log migrate --to postgres again where the files are',
    })
  if (origin === undefined) return undefined
  // An entry is in the database before its guard is written.
  return { note, clock, size, has: wanted => wanted <= size }
}

/** Refuses to use two logs: a log in files must be moved first. */
function refuseOpenFiles(root: string): void {
  if (!hasOpenFiles(root)) return
  throw new WaybillError(
    'conflict',
    `waybill.yaml says ledger: postgres, but the log is still in ${ledgerFolder(root)}`,
    {
      hint: 'run waybill log migrate --to postgres to move it; until then nothing can be recorded',
    },
  )
}

/** Seals the unused files here, unless a worker started with the old configuration might create a log in them. */
async function sealUnlessAtWork(url: string, app: App): Promise<void> {
  // Once the log exists in the database, running workers use it.
  const { origin } = await readHead(url)
  if (origin === undefined)
    await refuseWorkers(url, {
      host: hostname(),
      where:
        'here, and may still use a log in files, because the log in PostgreSQL is not created yet',
      hint: 'stop them (Ctrl-C), run this again, and restart them',
    })
  await sealUnused(app)
}

/** Refuses while workers run: each keeps the log it started with, and would fail once the files are sealed. */
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

/** Seals the unused files, so that an older waybill.yaml cannot start a second log in them. */
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

/** Reports a configuration error of the database as an unreachable log. */
async function reached<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (cause) {
    if (!(cause instanceof WaybillError) || cause.code !== 'configuration') throw cause
    throw new WaybillError('store-unavailable', `cannot reach the log: ${cause.message}`, {
      cause,
      ...(cause.hint !== undefined && { hint: cause.hint }),
    })
  }
}
