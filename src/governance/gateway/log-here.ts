import { listed } from '../../contract/index.ts'
import { WaybillError } from '../../error.ts'
import { mayReadKeys, readOrigin } from '../keys/key-files.ts'
import { openKeys } from '../keys/open-keys.ts'
import type { Trust } from '../trust/trust.ts'
import type { LogStorage } from './storage.ts'

/**
 * Returns the origin of the log kept here, for readers. If the keys are missing or unreadable, it is the only log that
 * `trust` lists. The log's own checkpoint is not used, because another listed log may have replaced it.
 *
 * @throws {WaybillError} 'input-output' when a log is kept here, but neither the keys nor `trust` identify it.
 */
export async function logHere(
  root: string,
  trust: Trust,
  storage: LogStorage,
): Promise<string | undefined> {
  const mayRead = mayReadKeys(root)
  const own = mayRead ? openKeys(root, trust).origin : undefined
  if (own !== undefined || (mayRead && !(await storage.isBegun()))) return own
  const logs = trust.keys.filter(({ holder }) => holder.kind === 'log')
  const [origin, ...others] = [...new Set(logs.map(({ holder }) => holder.name))]
  // Throws the reason that the keys cannot be read.
  if (origin === undefined && !mayRead) return readOrigin(root)
  if (origin !== undefined && others.length === 0) return origin
  const why = mayRead ? 'does not name it' : 'cannot be read'
  throw new WaybillError('input-output', whichLog(why, origin ? [origin, ...others] : []), {
    hint: 'run this on the machine with the keys, as the user who created them; without them, verify with waybill log verify --key',
  })
}

const MOST_NAMED = 3

function whichLog(why: string, origins: readonly string[]): string {
  const more = origins.length > MOST_NAMED ? [`${origins.length - MOST_NAMED} more`] : []
  const names = listed([...origins.slice(0, MOST_NAMED), ...more])
  return `cannot determine which log is kept here: .waybill/keys ${why}, and waybill.yaml lists ${names || 'none'}`
}
