import { listed } from '../../contract/index.ts'
import { WaybillError } from '../../error.ts'
import { mayReadKeys, readOrigin } from '../keys/key-files.ts'
import { openKeys } from '../keys/open-keys.ts'
import type { Trust } from '../trust/trust.ts'
import type { LogStorage } from './storage.ts'

/**
 * The log that is kept here, for those who only read it: where no keys tell, it is the one log that `trust` lists, be it
 * that an account may not look at them or that a log stands here without. What a log says of itself tells nothing:
 * another listed one may have been put in its place.
 *
 * @throws WaybillError where a log is kept here, and neither the keys nor `trust` tell which.
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
  // Says why, where the keys cannot be read and nobody else can tell.
  if (origin === undefined && !mayRead) return readOrigin(root)
  if (origin !== undefined && others.length === 0) return origin
  const why = mayRead ? 'does not say it' : 'cannot be read'
  throw new WaybillError('input-output', whichLog(why, origin ? [origin, ...others] : []), {
    hint: 'run this as whoever made the keys, where they are; without them waybill log verify --key verifies a log by the keys that are named',
  })
}

const MOST_NAMED = 3

function whichLog(why: string, origins: readonly string[]): string {
  const more = origins.length > MOST_NAMED ? [`${origins.length - MOST_NAMED} more`] : []
  const names = listed([...origins.slice(0, MOST_NAMED), ...more])
  return `which log is kept here cannot be told: .waybill/keys ${why}, and waybill.yaml lists ${names || 'none'}`
}
