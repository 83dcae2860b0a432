import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** Kills the database of the copy, if any; its data is no longer needed. */
export function endDatabase(root: string): void {
  const file = join(root, '.waybill/database/data/postmaster.pid')
  if (!existsSync(file)) return
  try {
    process.kill(Number.parseInt(readFileSync(file, 'utf8'), 10), 'SIGQUIT')
  } catch {
    // It has already ended.
  }
}
