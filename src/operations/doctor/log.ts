import { WaybillError } from '../../error.ts'
import { openKeys, quarantineIn, readTrust } from '../../governance/index.ts'
import type { Config } from '../../workspace/index.ts'
import type { App } from '../operation.ts'
import { error, warning } from './item.ts'
import type { DoctorItem } from './output.ts'

/** The agents that the log keeps out; a log that is gone, or is not what it was, is an error. */
export async function examineQuarantine(app: App, config: Config): Promise<DoctorItem[]> {
  try {
    const kept = await quarantineIn(app.root, config, app.stateHome)
    return Object.entries(kept).map(([agent, { since, reason }]) =>
      warning(
        'quarantine',
        `every handoff with ${agent} is refused since ${since}: ${reason}`,
        `let a person compare its prompt with the approved one: waybill lock reconcile ${agent}`,
      ),
    )
  } catch (cause) {
    if (!(cause instanceof WaybillError)) throw cause
    // What is wrong with trust and keys is told by their own items.
    if (cause.code === 'configuration') return []
    if (cause.message.includes('no trusted key') && isRevoked(app, config))
      return [warning('log', UNTOLD, 'waybill init makes a new key for the log')]
    return [error('log', cause.message, cause.hint ?? 'waybill log verify says more')]
  }
}

const UNTOLD =
  'a key of it was revoked, and no other has signed it yet: who is in quarantine cannot be told'

function isRevoked({ root }: App, config: Config): boolean {
  const trust = readTrust(config)
  const { origin } = openKeys(root, trust)
  return (
    origin !== undefined && trust.of('log', origin).some(({ revoked }) => revoked !== undefined)
  )
}
