import { join } from 'node:path'
import { startEmbedded } from '../../store/index.ts'
import { holdLock, openStateFolder } from '../../workspace/index.ts'
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
