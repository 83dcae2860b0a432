import { generateKeyPairSync, type KeyObject, sign } from 'node:crypto'
import canonicalize from 'canonicalize'
import { describe, expect, test } from 'vitest'
import { formatInstant } from '../../document/index.ts'
import { formatEnvelope, paeOf } from '../../ledger/index.ts'
import { type Config, sha256 } from '../../workspace/index.ts'
import { readTrust } from '../trust/trust.ts'
import { ENVELOPE_CODES } from './codes.ts'
import { type EnvelopeGround, openEnvelope, verifyEnvelope } from './verify.ts'

const AT = Date.UTC(2026, 10, 21, 12)
const SOURCE = 'domain-05-product'
const TARGET = 'domain-02-analysis'
const digests = { handoff: sha256('handoff'), lock: sha256('lock'), manifest: sha256('manifest') }

const p256 = () => generateKeyPairSync('ec', { namedCurve: 'P-256' })
const derOf = ({ publicKey }: { publicKey: KeyObject }) =>
  publicKey.export({ type: 'spki', format: 'der' })
const day = (offset: number) => formatInstant(AT + offset * 86_400_000)

const keys = {
  source: p256(),
  other: p256(),
  expired: p256(),
  revoked: p256(),
  future: p256(),
  unlisted: p256(),
  person: p256(),
}
const listed = (holder: object, pair: { publicKey: KeyObject }, more: object = {}) => ({
  ...holder,
  key: derOf(pair).toString('base64'),
  from: day(-10),
  ...more,
})
const config: Config = {
  trust: [
    listed({ agent: SOURCE }, keys.source),
    listed({ agent: TARGET }, keys.other),
    listed({ agent: SOURCE }, keys.expired, { until: day(-1) }),
    listed({ agent: SOURCE }, keys.revoked, { revoked: day(-1) }),
    listed({ agent: SOURCE }, keys.future, { from: day(1) }),
    listed({ person: 'ada' }, keys.person),
  ],
}
const trust = readTrust(config)
const ground: EnvelopeGround = {
  at: AT,
  source: SOURCE,
  target: TARGET,
  ...digests,
}

const PREDICATE = {
  aud: TARGET,
  exp: formatInstant(AT + 600_000),
  iat: formatInstant(AT),
  nonce: '00',
  prev: null as string | null,
}

interface Statement {
  _type: string
  predicate: Record<string, unknown>
  predicateType: string
  subject: { digest: { sha256: string }; name: string }[]
}

const statement = (more: Partial<Statement> = {}): Statement => ({
  _type: 'https://in-toto.io/Statement/v1',
  predicate: PREDICATE,
  predicateType: 'urn:waybill:predicate:handoff:v1',
  subject: [
    { digest: { sha256: digests.handoff }, name: 'handoff' },
    { digest: { sha256: digests.lock }, name: 'prompt-lock' },
    { digest: { sha256: digests.manifest }, name: 'prompt-manifest' },
  ],
  ...more,
})

const TYPE = 'application/vnd.in-toto+json'

interface Signing {
  pair: { publicKey: KeyObject; privateKey: KeyObject }
  keyid?: string
  algorithm?: string | null
  encoding?: 'der' | 'ieee-p1363'
}

function envelopeOf(value: unknown, signings: readonly Signing[], payloadType = TYPE): string {
  const payload = Buffer.from(canonicalize(value) ?? '')
  const message = paeOf(payloadType, payload)
  const signatures = signings.map(({ pair, keyid, algorithm = 'sha256', encoding = 'der' }) => ({
    keyid: keyid ?? sha256(derOf(pair)),
    sig: sign(algorithm, message, { key: pair.privateKey, dsaEncoding: encoding }).toString(
      'base64',
    ),
  }))
  return formatEnvelope({ payloadType, payload: payload.toString('base64'), signatures })
}

const by = (...pairs: Signing['pair'][]) => pairs.map(pair => ({ pair }))
const verified = async (text: string, more: Partial<EnvelopeGround> = {}) =>
  verifyEnvelope(await openEnvelope(text, trust), { ...ground, ...more })
const codesOf = async (text: string, more: Partial<EnvelopeGround> = {}) =>
  (await verified(text, more)).diagnostics.map(({ code }) => code)

describe('an envelope is taken', () => {
  test('with one signature by the source agent', async () => {
    const taken = await verified(envelopeOf(statement(), by(keys.source)))
    expect(taken).toMatchObject({ diagnostics: [], authentic: true })
    expect(taken.keys).toEqual([sha256(derOf(keys.source))])
  })

  test('with a second good signature, by a person', async () => {
    expect(await codesOf(envelopeOf(statement(), by(keys.person, keys.source)))).toEqual([])
  })

  test.each([
    ['a second before it ends', AT + 599_000],
    ['29 seconds before it was issued', AT - 29_000],
  ])('%s', async (_, at) => {
    expect(await codesOf(envelopeOf(statement(), by(keys.source)), { at })).toEqual([])
  })
})

const ed25519 = generateKeyPairSync('ed25519')
const p384 = generateKeyPairSync('ec', { namedCurve: 'P-384' })
const sourceId = sha256(derOf(keys.source))
const [handoff, lock, manifest] = statement().subject
const bad = (text: string) => text.replace(/"sig":"M/, '"sig":"N')
const withPredicate = (more: object) => statement({ predicate: { ...PREDICATE, ...more } })
const signed = (value: unknown) => envelopeOf(value, by(keys.source))

describe('an envelope is refused', () => {
  test.each<[name: string, text: string, code: string]>([
    ['by an unlisted key', envelopeOf(statement(), by(keys.unlisted)), 'untrusted-key'],
    ['by an expired key', envelopeOf(statement(), by(keys.expired)), 'key-expired'],
    ['by a revoked key', envelopeOf(statement(), by(keys.revoked)), 'key-revoked'],
    [
      'by a key that does not count yet',
      envelopeOf(statement(), by(keys.future)),
      'key-not-yet-valid',
    ],
    ["by another agent's key", envelopeOf(statement(), by(keys.other)), 'wrong-agent'],
    ["by a person's key alone", envelopeOf(statement(), by(keys.person)), 'wrong-agent'],
    [
      'with a second signature by an unlisted key',
      envelopeOf(statement(), by(keys.source, keys.unlisted)),
      'untrusted-key',
    ],
    [
      'with a second signature by an expired key',
      envelopeOf(statement(), by(keys.source, keys.expired)),
      'key-expired',
    ],
    [
      'by an unlisted key that says it is the listed one',
      envelopeOf(statement(), [{ pair: keys.unlisted, keyid: sourceId }]),
      'bad-signature',
    ],
    [
      'by an Ed25519 key that says it is the listed one',
      envelopeOf(statement(), [{ pair: ed25519, keyid: sourceId, algorithm: null }]),
      'wrong-algorithm',
    ],
    [
      'by a key on another curve that says it is the listed one',
      envelopeOf(statement(), [{ pair: p384, keyid: sourceId }]),
      'wrong-algorithm',
    ],
    [
      'with a signature in another encoding',
      envelopeOf(statement(), [{ pair: keys.source, encoding: 'ieee-p1363' }]),
      'wrong-algorithm',
    ],
    [
      'with another digest in the signature',
      envelopeOf(statement(), [{ pair: keys.source, algorithm: 'sha512' }]),
      'bad-signature',
    ],
    ['with a signature that was changed', bad(signed(statement())), 'wrong-algorithm'],
    ['that is no JSON', '{', 'malformed'],
    [
      'without signatures',
      formatEnvelope({ payloadType: TYPE, payload: '', signatures: [] }),
      'malformed',
    ],
    [
      'with a key inside',
      signed(statement()).replace('{"payload"', '{"key":"x","payload"'),
      'malformed',
    ],
    [
      'with seventeen signatures',
      envelopeOf(
        statement(),
        Array.from({ length: 17 }, () => ({ pair: keys.source })),
      ),
      'malformed',
    ],
    [
      'with another type of payload',
      envelopeOf(statement(), by(keys.source), 'text/plain'),
      'malformed-statement',
    ],
    [
      'about something else',
      signed(statement({ predicateType: 'urn:waybill:predicate:approval:v1' })),
      'malformed-statement',
    ],
    [
      'with subjects in another order',
      signed(statement({ subject: [lock, handoff, manifest].filter(one => one !== undefined) })),
      'malformed-statement',
    ],
    [
      'with one subject less',
      signed(statement({ subject: [handoff, lock].filter(one => one !== undefined) })),
      'malformed-statement',
    ],
    ['with one thing more in it', signed(withPredicate({ zero: 0 })), 'malformed-statement'],
    [
      'with a time without a zone',
      signed(withPredicate({ iat: '2026-11-21T12:00:00' })),
      'malformed-time',
    ],
    [
      'that lives too long',
      signed(withPredicate({ exp: formatInstant(AT + 600_001) })),
      'window-too-long',
    ],
    [
      'that ends before it begins',
      signed(withPredicate({ exp: formatInstant(AT - 1) })),
      'window-too-long',
    ],
  ])('%s', async (_, text, code) => {
    expect(await codesOf(text)).toContain(`envelope/${code}`)
    expect((await verified(text)).authentic).toBe(false)
  })

  test.each<[string, Partial<EnvelopeGround>, string]>([
    ['for another document', { handoff: sha256('x') }, 'wrong-subject'],
    ['when it has ended', { at: AT + 600_001 }, 'expired'],
    ['more than 30 seconds before it was issued', { at: AT - 30_001 }, 'issued-in-future'],
  ])('%s', async (_, more, code) => {
    expect(await codesOf(signed(statement()), more)).toEqual([`envelope/${code}`])
    expect((await verified(signed(statement()), more)).authentic).toBe(false)
  })

  test.each<[string, Partial<EnvelopeGround>, string]>([
    ['another lock', { lock: sha256('x') }, 'lock-differs'],
    ['another manifest', { manifest: sha256('x') }, 'manifest-differs'],
    ['another audience', { target: 'orchestrator-desk' }, 'wrong-audience'],
  ])('with %s, though its source did say it', async (_, more, code) => {
    const said = await verified(signed(statement()), more)
    expect(said.diagnostics.map(one => one.code)).toEqual([`envelope/${code}`])
    expect(said.authentic).toBe(true)
  })

  test('with any single byte of it changed', async () => {
    const text = signed(statement())
    for (let at = 0; at < text.length; at += 7) {
      const other = text[at] === 'A' ? 'B' : 'A'
      const changed = text.slice(0, at) + other + text.slice(at + 1)
      expect(await codesOf(changed), String(at)).not.toEqual([])
    }
  })
})

test('every code that is found here is one of the table', async () => {
  const found = await codesOf(
    envelopeOf(withPredicate({ aud: 'x', exp: day(9) }), by(keys.unlisted)),
  )
  expect(found.length).toBeGreaterThan(2)
  for (const code of found) expect(Object.keys(ENVELOPE_CODES)).toContain(code)
})
