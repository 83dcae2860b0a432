import { relative } from 'node:path'
import { counted } from '../../contract/index.ts'
import { WaybillError } from '../../error.ts'
import {
  ledgerFolder,
  logHere,
  type Quarantined,
  quarantineIn,
  type RevokedHead,
  readTrust,
  revokedHead,
} from '../../governance/index.ts'
import { hasTree } from '../../ledger/index.ts'
import type { Config } from '../../workspace/index.ts'
import { timeAhead } from '../gateway/open.ts'
import { storageOf } from '../log/storage.ts'
import type { App } from '../operation.ts'
import { error, ok, warning } from './item.ts'
import type { DoctorItem } from './output.ts'

/**
 * Says where the log is kept, and which agents it keeps out; a log that is gone, cannot be reached, or is not what it
 * was, is an error.
 */
export async function examineLog(app: App, config: Config): Promise<DoctorItem[]> {
  try {
    const trust = readTrust(config)
    const storage = storageOf(app, config)
    const origin = await logHere(app.root, trust, storage)
    if (origin === undefined)
      return [ok('ledger', `${placeOf(app, config)}; nothing is recorded yet`)]
    const head = await revokedHead(storage, { origin, trust })
    if (head) return [ok('ledger', placeOf(app, config)), untold(head)]
    const opened = await storage.head()
    // The second line of a checkpoint says how many entries there are.
    const hasEntries = /^.*\n[1-9]/.test(opened?.note ?? '')
    if (storage.kind === 'file' && hasEntries && !hasTree(ledgerFolder(app.root)))
      return [error('log', 'the state that the ledger is continued from is missing', SAY_MORE)]
    const kept = await quarantineIn(app.root, config, storage, app.stateHome)
    return [
      ok('ledger', placeOf(app, config)),
      ...aheadOfClock(opened?.clock?.time, app),
      ...Object.entries(kept).map(keptOut),
    ]
  } catch (cause) {
    if (!(cause instanceof WaybillError)) throw cause
    // What is wrong with trust and keys is told by their own items.
    if (cause.code === 'configuration') return []
    return [error('log', cause.message, cause.hint ?? SAY_MORE)]
  }
}

const SAY_MORE = 'waybill log verify says more'

function placeOf({ root, databaseUrl }: App, { ledger }: Config): string {
  if (ledger !== 'postgres')
    return `in files below ${relative(root, ledgerFolder(root))}, which one machine writes`
  return databaseUrl === undefined
    ? 'in the embedded database, which one machine writes'
    : 'in the database of DATABASE_URL, which several machines may share'
}

function aheadOfClock(time: number | undefined, { now }: App): DoctorItem[] {
  const ahead = time === undefined ? undefined : timeAhead(time, now)
  if (!ahead) return []
  return [
    warning(
      'time',
      ahead,
      'see whether the clock is right; if it is, wait until it has come so far',
    ),
  ]
}

function keptOut([agent, { since, reason }]: [string, Quarantined]): DoctorItem {
  return warning(
    'quarantine',
    `every handoff with ${agent} is refused since ${since}: ${reason}`,
    `let a person compare its prompt with the approved one: waybill lock reconcile ${agent}`,
  )
}

function untold({ size }: RevokedHead): DoctorItem {
  const covered = counted(size, 'entry', 'entries')
  return warning(
    'log',
    `the key that signed for its ${covered} was revoked, and no other has signed for them yet: who is in quarantine cannot be told`,
    'waybill init makes a new key for the log',
  )
}
