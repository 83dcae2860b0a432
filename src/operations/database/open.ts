import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { startEmbedded } from '../../store/index.ts'
import { holdLock, openStateFolder, stateFolder } from '../../workspace/index.ts'
import type { App } from '../operation.ts'
import { serverAddress } from './address.ts'

/** Returns the database address: DATABASE_URL, or the address of the embedded server, started if needed. */
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

/** Tells whether a database exists: DATABASE_URL is set, or the embedded server has data. */
export function hasDatabase({ root, databaseUrl }: App): boolean {
  return databaseUrl !== undefined || existsSync(join(stateFolder(root), 'database', 'data'))
}

/**
 * Returns a function that restarts the embedded server, or its watchdog, at its old address; undefined for a server
 * named by DATABASE_URL.
 */
export function reviving(app: App, url: string): (() => Promise<void>) | undefined {
  if (app.databaseUrl !== undefined) return undefined
  let last = ''
  const tellOnce = (line: string) => {
    if (line !== last) app.tell?.(line)
    last = line
  }
  return async () => {
    // The data was deleted, or the run was cancelled.
    if (!hasDatabase(app) || app.signal?.aborted) return
    try {
      const now = await databaseUrl(app)
      if (now !== url) tellOnce(MOVED)
    } catch (error) {
      tellOnce(error instanceof Error ? error.message : String(error))
    }
  }
}

const MOVED =
  'the database moved to a new port, because another program took the old one: restart this command'
