import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** Ends the database of the copy at once, if there is one; nothing in it is needed any more. */
export function endDatabase(root: string): void {
  const file = join(root, '.waybill/database/data/postmaster.pid')
  if (!existsSync(file)) return
  try {
    process.kill(Number.parseInt(readFileSync(file, 'utf8'), 10), 'SIGQUIT')
  } catch {
    // It has ended by itself.
  }
}
