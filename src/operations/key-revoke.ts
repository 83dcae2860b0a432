import { revokeKeys } from '../governance/index.ts'
import { recordChanges } from './key/record.ts'
import { changesOutput } from './key/report.ts'
import type { KeyRevokeOutput } from './key-revoke/output.ts'
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
    'the key counts until then. A new key: waybill key rotate for an agent, waybill init for the gateway and the log.',
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
  const changes = await revokeKeys(app.root, key, why, app.now)
  await recordChanges(changes, app)
  return changesOutput(changes)
}
