import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { startEmbedded } from '../../store/index.ts'
import { holdLock, openStateFolder, stateFolder } from '../../workspace/index.ts'
import type { App } from '../operation.ts'
import { serverAddress } from './address.ts'

/**
 * The address of the database: the one that the environment names, else that of the embedded server, which is started
 * where it does not run.
 */
export async function databaseUrl(app: App): Promise<string> {
  if (app.databaseUrl !== undefined) return serverAddress(app.databaseUrl)
  const folder = openStateFolder(app.root)
  const database = join(folder, 'database')
  const { url } = await startEmbedded(folder, {
    path: app.environment?.PATH ?? '',
    watchdog: app.worker?.('database'),
    lock: { hold: () => holdLock(app.root, database) },
  })
  return url
}

/** Whether there is a database: one that the environment names, or what the embedded server has made. */
export function hasDatabase({ root, databaseUrl }: App): boolean {
  return databaseUrl !== undefined || existsSync(join(stateFolder(root), 'database', 'data'))
}

/**
 * Starts the embedded server again, at the address that it had, or its watchdog, for those who need it: a killed one has
 * nobody else who would. Nothing for a server that the environment names.
 */
export function reviving(app: App, url: string): (() => Promise<void>) | undefined {
  if (app.databaseUrl !== undefined) return undefined
  let told = ''
  const tell = (line: string) => {
    if (line !== told) app.tell?.(line)
    told = line
  }
  return async () => {
    // Somebody has taken it away with all that it held; or nobody waits any more.
    if (!hasDatabase(app) || app.signal?.aborted) return
    try {
      const now = await databaseUrl(app)
      if (now !== url) tell(MOVED)
    } catch (error) {
      tell(error instanceof Error ? error.message : String(error))
    }
  }
}

const MOVED =
  'another program has taken the port of the database, which has a new one: start this again'
