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

/** Lists the keys that count; of private keys only whether they can be used is told. */
export default defineOperation({
  name: 'key list',
  summary: 'List whose keys count, from when until when, and whose private halves are here',
  description:
    'The keys under trust in waybill.yaml: agents, people, the gateway and the log. Private keys that are here are ' +
    'held against their ids and never shown; one that trust does not list is named, and never signs.',
  examples: [
    { command: 'waybill key list', does: 'see whose keys count' },
    { command: 'waybill key list --format json', does: 'the same, whole, for programs' },
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
