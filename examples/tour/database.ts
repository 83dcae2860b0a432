import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { stopEmbedded } from '../../src/store/embedded/index.ts'

/** Stops the database that the commands of the tour have started in the copy, if they did. */
export async function stopDatabase(root: string): Promise<void> {
  const state = join(root, '.waybill')
  if (existsSync(join(state, 'database'))) await stopEmbedded(state)
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
