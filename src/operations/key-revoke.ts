import {
  openKeys,
  planRevocation,
  type Revocation,
  readTrust,
  revokedHead,
} from '../governance/index.ts'
import { loadConfig } from '../workspace/index.ts'
import { mustBePlain } from './gateway/stated.ts'
import { inTurn, recordChanges } from './key/record.ts'
import { changesOutput } from './key/report.ts'
import type { KeyRevokeOutput } from './key-revoke/output.ts'
import { storageOf } from './log/storage.ts'
import { type App, defineOperation } from './operation.ts'

const input = {
  type: 'object',
  required: ['key'],
  properties: {
    key: {
      type: 'string',
      positional: true,
      placeholder: 'holder|key id',
      description: 'The key by its id or the beginning of it, or whose keys.',
    },
    why: { type: 'string', placeholder: 'reason', description: 'Why it must not count any more.' },
  },
} as const

/** Makes a key count for nothing from now on. */
export default defineOperation({
  name: 'key revoke',
  summary: 'Make a key count for nothing from now on, and delete its private half',
  description:
    'Writes revoked: with this moment beside the key in waybill.yaml and deletes the private half if it is here. What it ' +
    'signed before stays valid where a checkpoint of the log shows that it was before. Commit waybill.yaml: elsewhere ' +
    'the key counts until then. A new key: waybill key rotate for an agent, waybill init for the gateway and the log. That ' +
    'a key of the log here or of its gateway is revoked is the last that it signs; until there is a new key of the log ' +
    'its entries are refused, and verified only with the revoked key: waybill log verify --key.',
  examples: [
    {
      command: 'waybill key revoke domain-05-product --why "laptop stolen"',
      does: 'revoke all keys of an agent',
    },
    { command: 'waybill key revoke 3f2a91c07be4 --why "leaked in a log"', does: 'revoke one key' },
  ],
  actor: 'human',
  effect: 'write',
  input,
  run: ({ key, why }, app) => revoke(key, why, app),
})

async function revoke(key: string, why = '', app: App): Promise<KeyRevokeOutput> {
  mustBePlain(why)
  const changes = await inTurn(app, async now => {
    const revocation = await planRevocation(app.root, key, why, now)
    return (revocation.isOwn ? revokeOwn : revokeOther)(revocation, { ...app, now })
  })
  return { ...changesOutput(changes), orphaned: await orphanedIn(app) }
}

async function revokeOther({ carryOut }: Revocation, app: App) {
  const changes = await carryOut(app.now)
  await recordChanges(changes, app)
  return changes
}

/** What the keys of a log sign last is that they are revoked, and the checkpoint that covers this. */
async function revokeOwn({ changes, carryOut }: Revocation, app: App) {
  let last: number | undefined
  try {
    last = await recordChanges(changes, app)
  } catch (error) {
    // A log that is at fault keeps no stolen key in force.
    await carryOut(app.now)
    throw error
  }
  return carryOut(last === undefined ? app.now : Math.max(app.now, last + 1))
}

async function orphanedIn(app: App): Promise<number | null> {
  const config = await loadConfig(app.root)
  const trust = readTrust(config)
  const { origin } = openKeys(app.root, trust)
  if (origin === undefined) return null
  return (await revokedHead(storageOf(app, config), { origin, trust }))?.size ?? null
}
