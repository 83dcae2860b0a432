import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { WaybillError } from '../../error.ts'
import {
  checkpointOf,
  findLogToVerify,
  keysOf,
  logHere,
  readTrust,
} from '../../governance/index.ts'
import { type Config, openStateFolder, removeLeft } from '../../workspace/index.ts'
import { waitingFor } from '../database/waiting.ts'
import { logDatabase } from '../log/postgres-storage.ts'
import { storageOf } from '../log/storage.ts'
import type { App } from '../operation.ts'

const FOLDER = 'snapshots'

/** Exports a database log at one moment to a temporary folder for some work; also removes folders of dead processes. */
export async function withSnapshot<T>(
  app: App,
  config: Config,
  work: (folder: string) => Promise<T>,
): Promise<T> {
  const { root, stateHome, signal, progress } = app
  const storage = storageOf(app, config)
  const origin = await logHere(root, readTrust(config), storage)
  const head = origin && (await findLogToVerify(root, origin, storage, stateHome))
  if (origin === undefined || !head)
    throw new WaybillError('not-found', 'no log entries here yet', {
      hint: 'the first send or receive creates the log; pass --ledger for a folder',
    })
  const waiting = waitingFor(app)
  const url = await waiting(logDatabase(app))
  const { snapshotPostgresLog } = await import('../../store/index.ts')
  const folder = makeFolder(root)
  try {
    await snapshotPostgresLog(url, folder, {
      ...{ origin, sizeOf, keysOf, waiting },
      ...(signal && { signal }),
      ...(progress && { progress: (done, total) => progress(done, total, 'entries read') }),
    })
    return await work(folder)
  } finally {
    removeLeft(folder)
  }
}

function makeFolder(root: string): string {
  const folder = openStateFolder(root, FOLDER)
  for (const name of readdirSync(folder))
    if (!isAlive(Number.parseInt(name, 10)))
      rmSync(join(folder, name), { recursive: true, force: true })
  return mkdtempSync(join(folder, `${process.pid}-`))
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (cause) {
    return (cause as NodeJS.ErrnoException).code === 'EPERM'
  }
}

/** Returns the number of entries that a note covers; the audit reports an invalid note. */
const sizeOf = (text: string) => checkpointOf(text)?.size ?? 0

/** The database table for each file of a snapshot. */
const TABLES: readonly (readonly [file: RegExp, table: string])[] = [
  [/^checkpoint$/, 'ledger_checkpoint'],
  [/^\.state\/tree$/, 'ledger_state'],
  [/^\.state\/keys\//, 'ledger_keys'],
  [/^tile\/[1-9]/, 'ledger_nodes'],
  [/^(?:tile|content|\.state\/wal)\//, 'ledger_entries'],
]

/** Returns the table for a file of the deleted snapshot. */
export function tableOf(file: string): string {
  const [, table] = TABLES.find(([pattern]) => pattern.test(file)) ?? []
  return table === undefined ? file : `waybill.${table}`
}
