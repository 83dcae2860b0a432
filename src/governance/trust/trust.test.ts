import { createPublicKey, generateKeyPairSync } from 'node:crypto'
import { expect, test } from 'vitest'
import { formatInstant } from '../../document/index.ts'
import { parseConfig, sha256 } from '../../workspace/index.ts'
import { logKeyText } from './log-key.ts'
import { whyNotP256 } from './p256.ts'
import { readTrust, standing, type TrustedKey } from './trust.ts'

const spkiOn = (namedCurve: string) =>
  generateKeyPairSync('ec', { namedCurve }).publicKey.export({ type: 'spki', format: 'der' })
const spki = () => spkiOn('P-256').toString('base64')
const ORIGIN = 'urn:waybill:log:3b241101-e2bb-4255-8caf-4136c566a962'
const logKey = (name = ORIGIN) => {
  const { x = '' } = generateKeyPairSync('ed25519').publicKey.export({ format: 'jwk' })
  return logKeyText(name, Buffer.from(x, 'base64url'))
}

const DAY = 24 * 60 * 60 * 1000
const time = (day: number) => formatInstant(Date.UTC(2026, 0, 1) + day * DAY)
const at = (day: number) => Date.UTC(2026, 0, 1) + day * DAY

const trustIn = async (yaml: string) => readTrust(await parseConfig(Buffer.from(yaml)))
const entry = (holder: string, key: string, rest = `from: ${time(0)}`) =>
  `  - ${holder}\n    key: ${key}\n    ${rest}\n`

test('keys are found by their ids and by their holders, in the order of the configuration', async () => {
  const [a, b, c] = [spki(), spki(), spki()]
  const trust = await trustIn(
    `trust:\n${entry('agent: x', a)}${entry('agent: x', b)}${entry('person: x', c)}`,
  )
  expect(trust.of('agent', 'x').map(key => key.entry)).toEqual([0, 1])
  expect(trust.of('person', 'x')).toHaveLength(1)
  expect(trust.of('gateway', 'x')).toEqual([])
  const keyid = sha256(Buffer.from(b, 'base64'))
  expect(trust.byId(keyid)).toMatchObject({ entry: 1, holder: { kind: 'agent', name: 'x' } })
  expect(trust.byId('0'.repeat(64))).toBeUndefined()
  expect(trust.byId(keyid)?.publicKey.key.asymmetricKeyType).toBe('ec')
})

test('a configuration without trust trusts no key', async () => {
  expect((await trustIn('ignore: [a/]\n')).keys).toEqual([])
})

test('the key of a log is the verifier key of its notes', async () => {
  const text = logKey()
  const trust = await trustIn(`trust:\n${entry(`log: ${ORIGIN}`, text)}`)
  const [key] = trust.of('log', ORIGIN)
  expect(key?.publicKey.note).toEqual({ name: ORIGIN, id: text.split('+')[1] })
  expect(key?.publicKey.key.asymmetricKeyType).toBe('ed25519')
})

const flipped = (base64: string) => {
  const bytes = Buffer.from(base64, 'base64')
  bytes[90] = (bytes[90] ?? 0) ^ 1
  return bytes.toString('base64')
}

test.each<[why: string, yaml: () => string, place: string, message: RegExp]>([
  ['no base64', () => entry('agent: a', '"%%%"'), '3:10', /not base64/],
  ['base64 that is not canonical', () => entry('agent: a', `"${spki()} "`), '3:10', /not base64/],
  ['a key on P-384', () => entry('agent: a', spkiOn('P-384').toString('base64')), '3:10', /curve/],
  [
    'a key on another curve of the same size',
    () => entry('agent: a', spkiOn('secp256k1').toString('base64')),
    '3:10',
    /curve/,
  ],
  [
    'a point that is on no curve',
    () => entry('agent: a', flipped(spki())),
    '3:10',
    /not on the curve/,
  ],
  [
    'an Ed25519 key for an agent',
    () =>
      entry(
        'agent: a',
        generateKeyPairSync('ed25519')
          .publicKey.export({ type: 'spki', format: 'der' })
          .toString('base64'),
      ),
    '3:10',
    /curve/,
  ],
  ['an SSH key for an agent', () => entry('agent: a', 'ssh-ed25519 AAAA'), '3:10', /not base64/],
  ['a P-256 key for a log', () => entry(`log: ${ORIGIN}`, spki()), '3:10', /verifier key/],
  ['the key of another log', () => entry(`log: ${ORIGIN}`, logKey('other')), '3:10', /'other'/],
  ['a torn SSH key', () => entry('person: a', 'ssh-ed25519 AAAAC3Nza'), '3:10', /SSH key/],
  [
    'a holder kind that there is not',
    () => entry('robot: a', spki()),
    '2:5',
    /unknown key 'robot'/,
  ],
  ['no holder', () => `  - key: ${spki()}\n    from: ${time(0)}\n`, '2:5', /names no holder/],
  ['two holders', () => entry('agent: a\n    person: b', spki()), '2:5', /agent and person/],
  ['no beginning', () => entry('agent: a', spki(), 'until: 2026-01-01T00:00:00Z'), '2:5', /'from'/],
  [
    'a time without an offset',
    () => entry('agent: a', spki(), 'from: 2026-01-01T00:00:00'),
    '4:11',
    /form/,
  ],
  [
    'an end before its beginning',
    () => entry('agent: a', spki(), `from: ${time(2)}\n    until: ${time(1)}`),
    '5:12',
    /'until' is before 'from'/,
  ],
  [
    'a revocation before its beginning',
    () => entry('agent: a', spki(), `from: ${time(2)}\n    revoked: ${time(1)}`),
    '5:14',
    /'revoked' is before 'from'/,
  ],
  [
    'a name with a homoglyph',
    () => entry('agent: domаin-05', spki()),
    '2:12',
    /U\+0430.*not ASCII/,
  ],
  ['a name with a zero-width space', () => entry('agent: "a\\u200B"', spki()), '2:12', /U\+200B/],
  ['a name that ends with a space', () => entry('agent: "a "', spki()), '2:12', /space/],
  [
    'one key for two agents',
    () => {
      const key = spki()
      return entry('agent: a', key) + entry('agent: b', key)
    },
    '6:10',
    /already listed, for agent a/,
  ],
  [
    'two gateway keys that count at once',
    () => entry('gateway: g', spki()) + entry('gateway: g', spki(), `from: ${time(5)}`),
    '5:5',
    /two keys of gateway g/,
  ],
  [
    'a log key within the time of a longer one that ends later',
    () =>
      entry('log: l', logKey('l'), `from: ${time(0)}\n    until: ${time(9)}`) +
      entry('log: l', logKey('l'), `from: ${time(1)}\n    until: ${time(2)}`),
    '6:5',
    /two keys of log l/,
  ],
])('%s is an error of the configuration with its place', async (_, yaml, place, message) => {
  const error = await trustIn(`trust:\n${yaml()}`).catch((e: unknown) => e)
  expect(error).toMatchObject({ code: 'configuration' })
  expect((error as Error).message).toContain(`waybill.yaml:${place} `)
  expect((error as Error).message).toMatch(message)
})

test('every fault is named at once, and one faulty entry lets none of the others count', async () => {
  const yaml = `unsigned: [аgent]\ntrust:\n${entry('agent: a', spki())}${entry('agent: b', 'x')}${entry('agent: c', 'y')}`
  const error: unknown = await trustIn(yaml).catch((e: unknown) => e)
  expect((error as Error).message.match(/waybill\.yaml:\d+:\d+/g)).toEqual([
    'waybill.yaml:7:10',
    'waybill.yaml:10:10',
    'waybill.yaml:1:12',
  ])
})

test('gateway keys that follow on each other are sound, also where one was revoked at once', async () => {
  const trust = await trustIn(
    `trust:\n${entry('gateway: g', spki(), `from: ${time(0)}\n    until: ${time(5)}`)}` +
      entry('gateway: g', spki(), `from: ${time(5)}\n    revoked: ${time(5)}`) +
      entry('gateway: g', spki(), `from: ${time(5)}`),
  )
  expect(trust.of('gateway', 'g').map(key => standing(key, at(5)))).toEqual([
    'expired',
    'revoked',
    'valid',
  ])
})

test('an agent may have several keys that count at once', async () => {
  const trust = await trustIn(`trust:\n${entry('agent: a', spki())}${entry('agent: a', spki())}`)
  expect(trust.of('agent', 'a').map(key => standing(key, at(1)))).toEqual(['valid', 'valid'])
})

const key = (times: Partial<TrustedKey>) => ({ from: at(1), ...times }) as TrustedKey

test.each<[string, Partial<TrustedKey>, number, string]>([
  ['before its beginning', {}, at(1) - 1, 'not-yet'],
  ['at its beginning', {}, at(1), 'valid'],
  ['just before its end', { until: at(2) }, at(2) - 1, 'valid'],
  ['at its end', { until: at(2) }, at(2), 'expired'],
  ['just before it was revoked', { revoked: at(2) }, at(2) - 1, 'valid'],
  ['when it is revoked', { revoked: at(2) }, at(2), 'revoked'],
  ['when it has expired and is revoked', { until: at(2), revoked: at(3) }, at(4), 'revoked'],
  ['before its beginning, when it is revoked later', { revoked: at(3) }, at(0), 'not-yet'],
])('what a key signs %s', (_, times, when, expected) => {
  expect(standing(key(times), when)).toBe(expected)
})

test('a key is reported to be on P-256 exactly where OpenSSL reads it as one', () => {
  for (let round = 0; round < 50; round++) {
    const der = spkiOn('P-256')
    expect(whyNotP256(der)).toBeUndefined()
    der[round + 30] = (der[round + 30] ?? 0) ^ 0x10
    const read = () => createPublicKey({ key: der, format: 'der', type: 'spki' })
    expect(read).toThrow()
    expect(whyNotP256(der)).toMatch(/not on the curve/)
  }
})
