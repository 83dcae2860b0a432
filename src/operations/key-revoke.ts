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
      description: 'A key by its id or a prefix of it, or a holder for all of its keys.',
    },
    why: { type: 'string', placeholder: 'reason', description: 'The reason.' },
  },
} as const

/** Revokes a key. */
export default defineOperation({
  name: 'key revoke',
  summary: 'Revoke a key and delete its private key',
  description:
    'Adds revoked: with the current time to the key in waybill.yaml, and deletes the private key if it is here. ' +
    'Earlier signatures stay valid where a checkpoint of the log proves their time. Commit waybill.yaml: until ' +
    'then others trust the key. Create a new key with waybill key rotate (agent) or waybill init (gateway, log). A ' +
    'revoked key of this log or its gateway signs its own revocation last; until the log has a new key its entries ' +
    'are refused, and only waybill log verify --key verifies them.',
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

/** Revokes a key of this log: it signs the entry of its own revocation, and the checkpoint that covers it. */
async function revokeOwn({ changes, carryOut }: Revocation, app: App) {
  let last: number | undefined
  try {
    last = await recordChanges(changes, app)
  } catch (error) {
    // Revoke a stolen key even if the log has errors.
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
