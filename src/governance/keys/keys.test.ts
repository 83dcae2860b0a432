import { createPublicKey, verify } from 'node:crypto'
import {
  chmodSync,
  copyFileSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { loadConfig } from '../../workspace/index.ts'
import { type Holder, holderText } from '../trust/holder.ts'
import { readTrust, standing } from '../trust/trust.ts'
import { openTrustFile } from '../trust/trust-file.ts'
import { planRevocation, rotateKey } from './change.ts'
import { makeFirstKeys, planKeys } from './first-keys.ts'
import { openKeys } from './open-keys.ts'

let root: string
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'waybill-keys-'))
})
afterEach(() => rmSync(root, { recursive: true, force: true }))

const NOW = Date.UTC(2026, 10, 21)
const HOUR = 3_600_000
const BYTES = Buffer.from('what is signed')
const folder = () => join(root, '.waybill/keys')
const config = () => readFileSync(join(root, 'waybill.yaml'), 'utf8')
const trust = async () => readTrust(await loadConfig(root))
const keys = async () => openKeys(root, await trust())
const fileOf = (name: string) =>
  join(folder(), readdirSync(folder()).find(file => file.startsWith(`${name}.`)) ?? '')

async function init(agents: readonly string[], at = NOW, place = root) {
  const file = await openTrustFile(place)
  const plan = planKeys(file, openKeys(place, file.trust), agents, at)
  const changes = await makeFirstKeys(place, file, plan.missing, at)
  return { plan, changes }
}

const texts = (holders: readonly Holder[]) => holders.map(({ kind }) => kind)

test('gateway, log and each agent get a key whose private half only its owner can read', async () => {
  const { changes } = await init(['a', 'b'])
  expect(changes.map(c => c.holder.kind)).toEqual(['gateway', 'log', 'agent', 'agent'])
  expect(statSync(folder()).mode & 0o777).toBe(0o700)
  for (const name of readdirSync(folder()))
    expect(statSync(join(folder(), name)).mode & 0o777, name).toBe(0o600)
  const { keyid } = changes[2] ?? {}
  expect(readFileSync(join(folder(), `a.${keyid}.pem`), 'utf8')).toMatch(/^-----BEGIN PRIVATE KEY/)
  const origin = changes[0]?.holder.name
  expect(origin).toMatch(/^urn:waybill:log:[0-9a-f-]{36}$/)
  expect((await keys()).origin).toBe(origin)
})

test('what a key here signs is verified by the public half that trust lists', async () => {
  await init(['a'])
  const [list, held] = [await trust(), await keys()]
  const signer = held.signer('agent', 'a', NOW)
  const known = list.byId(signer?.keyid ?? '')
  if (!signer || !known) throw new Error('there is no signer')
  const key = createPublicKey({ key: Buffer.from(signer.publicDer), format: 'der', type: 'spki' })
  expect(verify('sha256', BYTES, key, signer.sign(BYTES))).toBe(true)
  expect(verify('sha256', BYTES, known.publicKey.key, signer.sign(BYTES))).toBe(true)

  const origin = held.origin ?? ''
  const log = held.logSigner(origin, NOW)
  const logKey = list.byId(log?.keyid ?? '')?.publicKey
  if (!log || !logKey) throw new Error('there is no signer of the log')
  expect({ name: log.name, id: log.id }).toEqual(logKey.note)
  expect(verify(null, BYTES, logKey.key, log.sign(BYTES))).toBe(true)
})

test('a second time nothing is made, and new agents only', async () => {
  await init(['a'])
  const before = config()
  expect((await init(['a'])).plan.missing).toEqual([])
  expect(config()).toBe(before)
  expect((await init(['a', 'b'])).plan.missing).toEqual([{ kind: 'agent', name: 'b' }])
  expect(config().startsWith(before)).toBe(true)
})

test('another clone with the same list has a log of its own, and makes no key that is held elsewhere', async () => {
  await init(['a'])
  const clone = mkdtempSync(join(tmpdir(), 'waybill-clone-'))
  try {
    copyFileSync(join(root, 'waybill.yaml'), join(clone, 'waybill.yaml'))
    const file = await openTrustFile(clone)
    const plan = planKeys(file, openKeys(clone, file.trust), ['a', 'b'], NOW)
    expect(texts(plan.elsewhere)).toEqual(['agent'])
    expect(texts(plan.missing)).toEqual(['gateway', 'log', 'agent'])
    const origins = new Set(plan.missing.slice(0, 2).map(({ name }) => name))
    expect(origins.size).toBe(1)
    expect(config()).not.toContain([...origins][0])
    expect(openKeys(clone, file.trust).signer('agent', 'a', NOW)).toBeUndefined()
    await expect(rotateKey(clone, 'gateway', NOW)).rejects.toMatchObject({ code: 'not-found' })
    await expect(rotateKey(clone, 'log', NOW)).rejects.toMatchObject({ code: 'not-found' })
  } finally {
    rmSync(clone, { recursive: true })
  }
})

test('a private key that trust does not list never signs', async () => {
  await init(['a'])
  writeFileSync(join(root, 'waybill.yaml'), 'ignore: [x/]\n')
  expect((await keys()).signer('agent', 'a', NOW)).toBeUndefined()
})

test('comments and the order of the configuration are kept', async () => {
  writeFileSync(
    join(root, 'waybill.yaml'),
    '# first\nignore: [x/] # why\n\n# second\npeople: claimed\n',
  )
  await init(['a'])
  expect(config()).toMatch(/^# first\nignore: \[x\/\] # why\n\n# second\npeople: claimed\ntrust:\n/)
})

test('rotation makes a new key that signs from then on, and the old one still verifies', async () => {
  await init(['a'])
  const old = (await keys()).signer('agent', 'a', NOW)
  const signature = old?.sign(BYTES) ?? new Uint8Array()
  const { change } = await rotateKey(root, 'a', NOW + HOUR)
  expect(change).toEqual({
    change: 'rotated',
    holder: { kind: 'agent', name: 'a' },
    keyid: expect.any(String),
    at: '2026-11-21T01:00:00Z',
    replaced: [old?.keyid],
  })
  const list = await trust()
  const before = list.byId(old?.keyid ?? '')
  if (!before) throw new Error('the old key is gone')
  expect(standing(before, NOW + HOUR - 1)).toBe('valid')
  expect(standing(before, NOW + HOUR)).toBe('expired')
  expect(verify('sha256', BYTES, before.publicKey.key, signature)).toBe(true)
  expect((await keys()).signer('agent', 'a', NOW + HOUR)?.keyid).toBe(change.keyid)
  expect((await keys()).signer('agent', 'a', NOW)?.keyid).toBe(old?.keyid)
})

test.each(['gateway', 'log'])(
  'the key of the %s of this repository is rotated under its origin',
  async who => {
    const { changes } = await init([])
    const origin = changes[0]?.holder.name
    const { change } = await rotateKey(root, who, NOW + HOUR)
    expect(change.holder).toEqual({ kind: who, name: origin })
    expect((await trust()).of(change.holder.kind, origin ?? '')).toHaveLength(2)
  },
)

const revokeKeys = async (...[where, who, why, at]: Parameters<typeof planRevocation>) =>
  (await planRevocation(where, who, why, at)).carryOut(at)

test('revocation counts at once, and the private half is deleted', async () => {
  await init(['a'])
  const old = fileOf('a')
  expect(existsSync(old)).toBe(true)
  const changes = await revokeKeys(root, 'agent:a', 'stolen', NOW + HOUR)
  expect(changes).toMatchObject([{ change: 'revoked', why: 'stolen', at: '2026-11-21T01:00:00Z' }])
  expect(existsSync(old)).toBe(false)
  expect((await keys()).signer('agent', 'a', NOW + HOUR)).toBeUndefined()
  const [key] = (await trust()).of('agent', 'a')
  expect(key && standing(key, NOW + HOUR)).toBe('revoked')
  expect(key && standing(key, NOW + HOUR - 1)).toBe('valid')
  await expect(revokeKeys(root, 'a', 'again', NOW + HOUR)).rejects.toMatchObject({ code: 'usage' })
  // A key that was revoked is not made again in passing.
  const again = await init(['a'], NOW + HOUR)
  expect([again.plan.revoked, again.changes]).toEqual([[{ kind: 'agent', name: 'a' }], []])
  expect((await rotateKey(root, 'a', NOW + HOUR)).change.replaced).toEqual([])
})

test('a key is revoked by the beginning of its id, and then that one only', async () => {
  await init(['a'])
  const { keyid = '' } = (await keys()).signer('agent', 'a', NOW) ?? {}
  const { keyid: next } = (await rotateKey(root, 'a', NOW + HOUR)).change
  const changes = await revokeKeys(root, keyid.slice(0, 12), 'leaked', NOW + 2 * HOUR)
  expect(changes.map(change => change.keyid)).toEqual([keyid])
  expect((await keys()).signer('agent', 'a', NOW + 2 * HOUR)?.keyid).toBe(next)
})

test('a log that was revoked with its gateway is followed by a new one', async () => {
  const { changes } = await init([])
  const origin = changes[0]?.holder.name
  await revokeKeys(root, 'gateway', 'lost', NOW + HOUR)
  await revokeKeys(root, 'log', 'lost', NOW + HOUR)
  rmSync(join(root, '.waybill'), { recursive: true })
  const after = await init([], NOW + 2 * HOUR)
  expect(texts(after.plan.missing)).toEqual(['gateway', 'log'])
  expect(after.changes[0]?.holder.name).not.toBe(origin)
})

test.each([
  ['that others may read', (file: string) => chmodSync(file, 0o640)],
  [
    'that is a link',
    (file: string) => {
      renameSync(file, `${file}.kept`)
      symlinkSync(`${file}.kept`, file)
    },
  ],
  ['in a folder that others may look into', () => chmodSync(folder(), 0o750)],
  ['that holds another key', (file: string) => copyFileSync(fileOf('gateway'), file)],
  ['that holds no key', (file: string) => writeFileSync(file, 'PRIVATE-TEXT')],
])('a key file %s is not used, and no message shows any of it', async (_, spoil) => {
  await init(['a'])
  const file = fileOf('a')
  const secret = readFileSync(file, 'utf8').split('\n')[1] ?? ''
  spoil(file)
  const error = await keys()
    .then(held => held.signer('agent', 'a', NOW))
    .catch((e: unknown) => e)
  expect(error).toMatchObject({ code: 'input-output' })
  const words = `${(error as Error).message} ${(error as Error).stack} ${String((error as Error).cause)}`
  expect(words).not.toContain(secret)
  expect(words).not.toContain('PRIVATE-TEXT')
})

test('a link in the place of the folder of keys is refused', async () => {
  await init([])
  renameSync(folder(), join(root, 'elsewhere'))
  symlinkSync(join(root, 'elsewhere'), folder())
  await expect(keys()).rejects.toMatchObject({ code: 'input-output' })
})

test('keys whose public halves cannot be listed are taken away again', async () => {
  const file = await openTrustFile(root)
  const plan = planKeys(file, openKeys(root, file.trust), ['a'], NOW)
  writeFileSync(join(root, 'waybill.yaml'), 'ignore: [x/]\n')
  await expect(makeFirstKeys(root, file, plan.missing, NOW)).rejects.toMatchObject({
    code: 'conflict',
  })
  expect(readdirSync(folder())).toEqual(['origin'])
  expect(config()).toBe('ignore: [x/]\n')
})

test.each([
  ['a person', 'ada', 'usage'],
  ['an unknown name', 'zzz', 'not-found'],
  ['a name that an agent and a person have', 'both', 'usage'],
])('to rotate the key of %s is refused', async (_, who, code) => {
  await init(['a', 'both'])
  const [, key] = /key: (MFkw\S+)/.exec(config()) ?? []
  const other = generatedSpki()
  expect(key).toBeDefined()
  writeFileSync(
    join(root, 'waybill.yaml'),
    `${config()}  - person: ada\n    key: ${other}\n    from: 2026-01-01T00:00:00Z\n` +
      `  - person: both\n    key: ${generatedSpki()}\n    from: 2026-01-01T00:00:00Z\n`,
  )
  const before = [config(), readdirSync(folder())]
  await expect(rotateKey(root, who, NOW)).rejects.toMatchObject({ code })
  expect([config(), readdirSync(folder())]).toEqual(before)
})

test('names that are not ASCII get no key', async () => {
  const file = await openTrustFile(root)
  expect(() => planKeys(file, openKeys(root, file.trust), ['dоmain'], NOW)).toThrow(/U\+043E/)
  expect(readdirSync(root)).toEqual([])
})

test('an agent cannot lead its key file out of the folder', async () => {
  await init(['../../x', '.hidden'])
  expect(readdirSync(folder()).filter(name => name.endsWith('.pem'))).toHaveLength(4)
  expect((await keys()).signer('agent', '../../x', NOW)?.holder.name).toBe('../../x')
  expect((await keys()).signer('agent', '.hidden', NOW)?.holder.name).toBe('.hidden')
  expect(holderText({ kind: 'agent', name: '.hidden' })).toBe('agent .hidden')
})

function generatedSpki(): string {
  const { generateKeyPairSync } = process.getBuiltinModule('node:crypto')
  const { publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  return publicKey.export({ type: 'spki', format: 'der' }).toString('base64')
}
