import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { searchPath } from './environment.ts'

const WATCHDOG = new URL('../../src/store/embedded/watchdog.ts', import.meta.url)

/** Starts the database of the copy with all of its tables, as the first command that needs it would. */
export async function startDatabase(root: string): Promise<void> {
  // Loaded while the first command runs.
  const [{ openStore, startEmbedded }, { holdLock, openStateFolder }] = await Promise.all([
    import('../../src/store/index.ts'),
    import('../../src/workspace/index.ts'),
  ])
  const state = openStateFolder(root)
  const lock = { hold: () => holdLock(root, join(state, 'database')) }
  const { url } = await startEmbedded(state, {
    path: searchPath(),
    watchdog: WATCHDOG,
    lock,
  })
  const store = await openStore({ url })
  try {
    await store.migrate()
  } finally {
    await store.close()
  }
}

/** Stops the database of the copy, if there is one. */
export async function stopDatabase(root: string): Promise<void> {
  const state = join(root, '.waybill')
  if (!existsSync(join(state, 'database'))) return
  const { stopEmbedded } = await import('../../src/store/index.ts')
  await stopEmbedded(state)
}

/** Ends it at once, for a tour that ends at once; nothing in it is needed any more. */
export function endDatabase(root: string): void {
  const file = join(root, '.waybill/database/data/postmaster.pid')
  if (!existsSync(file)) return
  try {
    process.kill(Number.parseInt(readFileSync(file, 'utf8'), 10), 'SIGQUIT')
  } catch {
    // It has ended by itself.
  }
}
