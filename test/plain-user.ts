import { spawnSync } from 'node:child_process'
import { PROGRAM } from './program.ts'

/** Runs Waybill as a user who may not read everything: the system's administrator gives that up. */
export function asPlainUser(root: string, ...args: readonly string[]) {
  const isAdministrator = process.getuid?.() === 0
  const plainly = isAdministrator
    ? ['setpriv', '--bounding-set=-dac_override,-dac_read_search']
    : []
  const [command = '', ...rest] = [...plainly, process.execPath, PROGRAM, ...args]
  return spawnSync(command, rest, { cwd: root, encoding: 'utf8' })
}
