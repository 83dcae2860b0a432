import { relative } from 'node:path'
import { counted } from '../../contract/index.ts'
import { WaybillError } from '../../error.ts'
import {
  copyOf,
  ledgerFolder,
  logHere,
  OWN_LOG,
  originalOf,
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

/** Reports where the log is kept and the agents in quarantine; a missing, unreachable or changed log is an error. */
export async function examineLog(app: App, config: Config): Promise<DoctorItem[]> {
  try {
    const trust = readTrust(config)
    const storage = storageOf(app, config)
    const origin = await logHere(app.root, trust, storage)
    if (origin === undefined) return [ok('ledger', `${placeOf(app, config)}; no entries yet`)]
    const head = await revokedHead(storage, { origin, trust })
    if (head) return [ok('ledger', placeOf(app, config)), revoked(head)]
    const opened = await storage.head()
    // The second line of a checkpoint is the number of entries.
    const hasEntries = /^.*\n[1-9]/.test(opened?.note ?? '')
    if (storage.kind === 'file' && hasEntries && !hasTree(ledgerFolder(app.root)))
      return [error('log', 'the state needed to append to the log is missing', SAY_MORE)]
    const kept = await quarantineIn(app.root, config, storage, app.stateHome)
    return [
      ok('ledger', placeOf(app, config)),
      ...copied(originalOf(app.root, origin, app.stateHome)),
      ...aheadOfClock(opened?.clock?.time, app),
      ...Object.entries(kept).map(keptOut),
    ]
  } catch (cause) {
    if (!(cause instanceof WaybillError)) throw cause
    // Problems with trust and keys are reported by their own items.
    if (cause.code === 'configuration') return []
    return [error('log', cause.message, cause.hint ?? SAY_MORE)]
  }
}

const SAY_MORE = 'run waybill log verify for details'

function placeOf({ root, databaseUrl }: App, { ledger }: Config): string {
  if (ledger !== 'postgres')
    return `in files below ${relative(root, ledgerFolder(root))}, for one machine`
  return databaseUrl === undefined
    ? 'in the embedded database, for one machine'
    : 'in the database of DATABASE_URL, which machines can share'
}

function aheadOfClock(time: number | undefined, { now }: App): DoctorItem[] {
  const ahead = time === undefined ? undefined : timeAhead(time, now)
  if (!ahead) return []
  return [
    warning('time', ahead, 'check the clock; if it is right, wait until it reaches that time'),
  ]
}

function copied(original: string | undefined): DoctorItem[] {
  return original === undefined ? [] : [warning('log', copyOf(original), OWN_LOG)]
}

function keptOut([agent, { since, reason }]: [string, Quarantined]): DoctorItem {
  return warning(
    'quarantine',
    `every handoff with ${agent} is refused since ${since}: ${reason}`,
    `have a person compare its prompt with the approved one: waybill lock reconcile ${agent}`,
  )
}

function revoked({ size }: RevokedHead): DoctorItem {
  const covered = counted(size, 'entry', 'entries')
  return warning(
    'log',
    `the key that signed its ${covered} was revoked and no new key has signed them yet: quarantines are unknown`,
    'run waybill init to create a new key for the log',
  )
}
