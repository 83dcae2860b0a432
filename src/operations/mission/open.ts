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
import { databaseUrl, reviving } from '../database/open.ts'
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
 * Opens the database of missions for a piece of work; `migrated` brings it up to date before. Where it does not answer
 * somebody is told, but by the second store: that is for those who tell so themselves.
 */
export async function withStore<T>(
  app: App,
  work: (store: Store, untold: Store) => Promise<T>,
  { migrated = false } = {},
): Promise<T> {
  const url = await databaseUrl(app)
  const waiting = waitingFor(app)
  const opening = unlessTold(app.signal, openStore({ url, revive: reviving(app, url) }))
  const untold = await waiting(opening)
  const store = waitedFor(untold, waiting)
  // Whoever joins an embedded server sees to it that somebody stops it in the end, also where a watchdog was killed.
  const guarding = setInterval(() => untold.revive(), GLANCE).unref()
  try {
    if (migrated) await store.migrate()
    return await work(store, untold)
  } catch (error) {
    // The embedded database is ours: where no mission was begun in it yet, or not since an update, or somebody was killed
    // over that or is at it just now, it is made ready here.
    if (migrated || app.databaseUrl !== undefined || !isUnprepared(error)) throw error
    await store.migrate()
    return await work(store, untold)
  } finally {
    clearInterval(guarding)
    const patience = app.signal?.aborted ? FAREWELL.told : FAREWELL.done
    await Promise.race([store.close(), pause(patience, undefined, { ref: false })])
  }
}

/** How often whoever has the database open looks after an embedded server, in milliseconds. */
const GLANCE = 3_000

/** Waits for what is being opened, unless somebody is told to leave before; that throws the reason of the signal. */
function unlessTold<T>(signal: AbortSignal | undefined, opening: Promise<T>): Promise<T> {
  if (!signal) return opening
  return new Promise((resolve, reject) => {
    const leave = () => reject(signal.reason)
    if (signal.aborted) leave()
    signal.addEventListener('abort', leave)
    opening.then(resolve, reject).finally(() => signal.removeEventListener('abort', leave))
  })
}

/** For how long somebody who was told to leave, or is done, waits for connections to end, in milliseconds: a database may be away. */
const FAREWELL = { told: 1_000, done: 3_000 }

/** The id of a mission, if it can be one. */
export function idOf(mission: string): string {
  if (UUID.test(mission)) return mission
  throw noMission(mission)
}

/** A mission of the tenant. */
export async function theRun(tx: Tx, mission: string): Promise<Run> {
  const run = await readRun(tx, idOf(mission))
  if (!run) throw noMission(mission)
  return run
}

const UUID = /^[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}$/
