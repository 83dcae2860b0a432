import {
  type Fork,
  openKeys,
  openWitnessKey,
  readTrust,
  readyKept,
  recordFork,
  Witness,
  type WitnessCode,
  witnessedLogs,
} from '../../governance/index.ts'
import { formatVerifierKey } from '../../ledger/index.ts'
import { loadConfig } from '../../workspace/index.ts'
import { refuseFuture, withGateway } from '../gateway/open.ts'
import { storageOf } from '../log/storage.ts'
import type { App } from '../operation.ts'
import { policyOf } from './policy.ts'

/** A repository acting as a witness. */
export interface OpenedWitness {
  readonly witness: Witness
  /** Its verifier key, in the form used in a policy file. */
  readonly key: string
  /** The logs that it cosigns. */
  readonly origins: readonly string[]
  /** Records a fork and returns the index of the entry; null if there is no log here. */
  record(fork: Fork): Promise<number | null>
}

const GONE: WitnessCode = 'witness/memory-gone'

/** Opens the witness of a repository; creates its key on first use. */
export async function openWitness(given: string | undefined, app: App): Promise<OpenedWitness> {
  refuseFuture(app)
  const { root, now, clock = () => now } = app
  const config = await loadConfig(root)
  const trust = readTrust(config)
  const { origin } = openKeys(root, trust)
  const logs = witnessedLogs(trust, policyOf(given, config, app)?.policy, origin, clock)
  if (readyKept(root).isGone && logs.origins.length > 0)
    app.tell?.(
      `${GONE}: .waybill/witness, the memory of cosigned checkpoints, is missing, so an older history of a log would be accepted as its first; if this witness has cosigned before, restore the latest copy of that folder`,
    )
  const key = openWitnessKey(root)
  return {
    witness: new Witness({ root, key, logs, now: clock }),
    key: formatVerifierKey(key.key),
    origins: logs.origins,
    record: async fork => {
      if (origin === undefined || !(await storageOf(app, config).head())) return null
      return withGateway(app, config, gateway => recordFork(fork, gateway))
    },
  }
}
