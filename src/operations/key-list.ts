import { relative, sep } from 'node:path'
import { formatInstant } from '../document/index.ts'
import {
  type Keys,
  openKeys,
  readTrust,
  standing,
  type TrustedKey,
  whyUnusableKey,
} from '../governance/index.ts'
import { loadConfig } from '../workspace/index.ts'
import type { KeyListOutput, ListedKey } from './key-list/output.ts'
import { type App, defineOperation } from './operation.ts'

const input = { type: 'object', properties: {} } as const

/** Lists trusted keys; of a private key, only whether it is usable. */
export default defineOperation({
  name: 'key list',
  summary: 'List trusted keys, their validity, and which private keys are here',
  description:
    'Lists the keys under trust in waybill.yaml: agents, people, the gateway and the log. Checks private keys that ' +
    'are here against their ids but never shows them; unlisted ones are reported and never sign. Writes nothing.',
  examples: [
    { command: 'waybill key list', does: 'list trusted keys' },
    { command: 'waybill key list --format json', does: 'list them in full, as JSON' },
  ],
  actor: 'any',
  effect: 'read',
  input,
  run: (_, app) => list(app),
})

async function list({ root, now }: App): Promise<KeyListOutput> {
  const trust = readTrust(await loadConfig(root))
  const keys = openKeys(root, trust)
  const unlisted = [...keys.files]
    .filter(([keyid]) => !trust.byId(keyid))
    .map(([keyid, file]) => ({ keyid, path: relative(root, file).split(sep).join('/') }))
  return {
    origin: keys.origin ?? null,
    keys: trust.keys.map(key => listed(key, keys, now)),
    unlisted,
  }
}

function listed(key: TrustedKey, keys: Keys, now: number): ListedKey {
  const { holder, keyid, publicKey, from, until, revoked } = key
  const file = keys.files.get(keyid)
  return {
    holder,
    keyid,
    algorithm: publicKey.algorithm,
    fingerprint: publicKey.fingerprint ?? null,
    from: formatInstant(from),
    until: until === undefined ? null : formatInstant(until),
    revoked: revoked === undefined ? null : formatInstant(revoked),
    standing: standing(key, now),
    held: file !== undefined,
    fault: (file !== undefined && whyUnusableKey(file, keyid)?.what) || null,
  }
}
