import { counted } from '../../contract/index.ts'
import { WaybillError } from '../../error.ts'
import {
  openKeys,
  quarantineIn,
  type RevokedHead,
  readTrust,
  revokedHead,
} from '../../governance/index.ts'
import type { Config } from '../../workspace/index.ts'
import type { App } from '../operation.ts'
import { error, warning } from './item.ts'
import type { DoctorItem } from './output.ts'

/** The agents that the log keeps out; a log that is gone, or is not what it was, is an error. */
export async function examineQuarantine(app: App, config: Config): Promise<DoctorItem[]> {
  try {
    const head = await revokedHeadHere(app, config)
    if (head) return [untold(head)]
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
    return [error('log', cause.message, cause.hint ?? 'waybill log verify says more')]
  }
}

async function revokedHeadHere({ root }: App, config: Config): Promise<RevokedHead | undefined> {
  const trust = readTrust(config)
  const { origin } = openKeys(root, trust)
  return origin === undefined ? undefined : await revokedHead(root, { origin, trust })
}

function untold({ size }: RevokedHead): DoctorItem {
  const covered = counted(size, 'entry', 'entries')
  return warning(
    'log',
    `the key that signed for its ${covered} was revoked, and no other has signed for them yet: who is in quarantine cannot be told`,
    'waybill init makes a new key for the log',
  )
}
