import { setTimeout as pause } from 'node:timers/promises'
import { noMission } from '../../mission/index.ts'
import {
  isUnprepared,
  openStore,
  type Run,
  readRun,
  type Store,
  type Tx,
} from '../../store/index.ts'
import { databaseUrl, hasDatabase, reviving } from '../database/open.ts'
import { waitedFor, waitingFor } from '../database/waiting.ts'
import type { App } from '../operation.ts'

export { TENANT_INPUT, tenantOf } from './tenant.ts'

/** The input that names a mission. */
export const MISSION_INPUT = {
  type: 'string',
  positional: true,
  placeholder: 'mission',
  description: 'The id of the mission.',
} as const

/**
 * Opens the mission database for `work` and closes it afterwards; `migrated` migrates it first. The first store reports
 * waiting for a database that does not answer; the second does not, for callers that report it themselves.
 */
export async function withStore<T>(
  app: App,
  work: (store: Store, quietStore: Store) => Promise<T>,
  { migrated = false } = {},
): Promise<T> {
  const url = await databaseUrl(app)
  const waiting = waitingFor(app)
  const opening = unlessAborted(app.signal, openStore({ url, revive: reviving(app, url) }))
  const quietStore = await waiting(opening)
  const store = waitedFor(quietStore, waiting)
  // Every process with the database open checks that a watchdog will stop the embedded server.
  const timer = setInterval(() => quietStore.revive(), CHECK_INTERVAL).unref()
  try {
    if (migrated) await store.migrate()
    return await work(store, quietStore)
  } catch (error) {
    // Migrate the embedded database on demand: it may be new, outdated or half migrated.
    if (migrated || app.databaseUrl !== undefined || !isUnprepared(error)) throw error
    await store.migrate()
    return await work(store, quietStore)
  } finally {
    clearInterval(timer)
    const wait = app.signal?.aborted ? CLOSE_WAIT.aborted : CLOSE_WAIT.done
    await Promise.race([store.close(), pause(wait, undefined, { ref: false })])
  }
}

/** Opens the database to read a mission; where there is none, there is no mission, and no server is started. */
export async function readingMission<T>(
  app: App,
  mission: string,
  work: (store: Store) => Promise<T>,
): Promise<T> {
  if (!hasDatabase(app)) throw noMission(mission)
  return withStore(app, work)
}

/** How often a process checks the embedded server, in milliseconds. */
const CHECK_INTERVAL = 3_000

/** Waits until the store is open, or rejects with the reason of the signal. */
function unlessAborted<T>(signal: AbortSignal | undefined, opening: Promise<T>): Promise<T> {
  if (!signal) return opening
  return new Promise((resolve, reject) => {
    const leave = () => reject(signal.reason)
    if (signal.aborted) leave()
    signal.addEventListener('abort', leave)
    opening.then(resolve, reject).finally(() => signal.removeEventListener('abort', leave))
  })
}

/** How long to wait for connections to close, in milliseconds; the database may be unreachable. */
const CLOSE_WAIT = { aborted: 1_000, done: 3_000 }

/** Returns the id of a mission; throws 'not-found' when it is not a UUID. */
export function idOf(mission: string): string {
  if (UUID.test(mission)) return mission
  throw noMission(mission)
}

/** Reads a mission of the tenant; throws 'not-found' when there is none. */
export async function theRun(tx: Tx, mission: string): Promise<Run> {
  const run = await readRun(tx, idOf(mission))
  if (!run) throw noMission(mission)
  return run
}

const UUID = /^[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}$/
