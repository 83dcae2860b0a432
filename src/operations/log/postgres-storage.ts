import { WaybillError } from '../../error.ts'
import {
  hasOpenFiles,
  type LogHead,
  type LogStorage,
  ledgerFolder,
  lockOf,
} from '../../governance/index.ts'
import { readSeal, sealFolder } from '../../ledger/index.ts'
import type { PostgresHead } from '../../store/index.ts'
import type { App } from '../operation.ts'

/** Keeps the log in PostgreSQL, where several machines share it. */
export function postgresStorage(app: App): LogStorage {
  const { root } = app
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
    openForWriting: options =>
      reaching(async () => {
        await sealUnused(app)
        const { openPostgresLog } = await loadStore()
        return openPostgresLog(await url(), options)
      }),
    openForReading: options =>
      reaching(async () => {
        refuseOpenFiles(root)
        const { openPostgresLogReader } = await loadStore()
        return openPostgresLogReader(await url(), options)
      }),
  }
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
async function reaching<T>(work: () => Promise<T>): Promise<T> {
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
