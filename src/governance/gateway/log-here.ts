import { listed } from '../../contract/index.ts'
import { WaybillError } from '../../error.ts'
import { mayReadKeys, readOrigin } from '../keys/key-files.ts'
import { openKeys } from '../keys/open-keys.ts'
import type { Trust } from '../trust/trust.ts'

/**
 * The log that is kept here, for those who only read it: to an account that may not look at the private keys it is the
 * one log that `trust` lists. What the files of a log say of themselves tells nothing: those of another listed log may
 * have been put in their place.
 *
 * @throws WaybillError where several logs are listed, and the keys that tell which is kept here may not be looked at.
 */
export function logHere(root: string, trust: Trust): string | undefined {
  if (mayReadKeys(root)) return openKeys(root, trust).origin
  const logs = trust.keys.filter(({ holder }) => holder.kind === 'log')
  const [origin, ...others] = [...new Set(logs.map(({ holder }) => holder.name))]
  // Where none is listed nobody but the keys can tell; that says why they cannot be read.
  if (others.length === 0) return origin ?? readOrigin(root)
  throw new WaybillError('input-output', whichLog([origin ?? '', ...others]), {
    hint: 'run this as whoever made the keys; without them waybill log verify --key verifies a log by the keys that are named',
  })
}

const MOST_NAMED = 3

function whichLog(origins: readonly string[]): string {
  const more = origins.length > MOST_NAMED ? [`${origins.length - MOST_NAMED} more`] : []
  const names = listed([...origins.slice(0, MOST_NAMED), ...more])
  return `which log is kept here cannot be told: .waybill/keys cannot be read, and waybill.yaml lists ${names}`
}
