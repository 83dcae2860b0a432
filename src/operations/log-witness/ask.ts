import { formatInstant } from '../../document/index.ts'
import {
  type AskedOne,
  gatherCosignatures,
  openMemory,
  verifiersOf,
} from '../../governance/index.ts'
import { keyOf, toHex } from '../../ledger/index.ts'
import { loadConfig } from '../../workspace/index.ts'
import { withGateway } from '../gateway/open.ts'
import { openPublished } from '../log/one-entry.ts'
import type { App } from '../operation.ts'
import { faultOf } from './fault.ts'
import type { AskedWitness, LogWitnessOutput } from './output.ts'
import { mustHavePolicy } from './policy.ts'

/** Timeout for a witness, in milliseconds. */
const PATIENCE = 10_000

/** Asks the witnesses of the policy to cosign this repository's log. */
export async function askForCosignatures(
  given: string | undefined,
  app: App,
): Promise<LogWitnessOutput> {
  const config = await loadConfig(app.root)
  const { policy, file } = mustHavePolicy(given, config, app)
  // Requires an existing log, so that withGateway does not create one.
  await openPublished(app)
  return withGateway(app, config, async ({ log, origin, trust }) => {
    const { signed, published, witnesses, met } = await gatherCosignatures(log, {
      policy,
      memory: openMemory(app.root, origin),
      patience: { timeout: PATIENCE, signal: app.signal },
      own: new Set(verifiersOf(trust, origin).map(keyOf)),
    })
    const { size, root } = signed.checkpoint
    return {
      ...{ role: 'log', origin, size, root: toHex(root), policy: file, quorum: policy.quorum },
      ...{ met, published, witnesses: witnesses.map(askedOf), note: signed.note },
    }
  })
}

function askedOf({ name, key, url, time, fault }: AskedOne): AskedWitness {
  return {
    ...{ name, key: keyOf(key), url: fault?.code === 'witness/no-url' ? null : (url ?? null) },
    cosigned: time === undefined ? null : formatInstant(time * 1000),
    fault: faultOf(fault?.code, fault?.detail ?? ''),
  }
}
