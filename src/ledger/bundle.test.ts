import fc from 'fast-check'
import { expect, test } from 'vitest'
import { agentKey, bundlesOf, logKey, ORIGIN, sha256, trustIn } from '../../test/interop/logged.ts'
import { fromBase64 } from './base64.ts'
import { bundleOf, parseBundle, verifyBundle } from './bundle.ts'
import { signEnvelope } from './envelope.ts'

const agent = agentKey()
const log = logKey()
const trust = trustIn(agent, log)
const bundles = bundlesOf(agent, log, 11)
const text = JSON.stringify(bundles[6])
const verify = (changed: string) => verifyBundle(sha256, changed, trust)

test.each(bundles.map((bundle, index) => ({ index, bundle })))(
  'the bundle of entry $index is verified, however it is laid out',
  async ({ bundle, index }) => {
    expect(await verify(JSON.stringify(bundle))).toMatchObject({ index })
    expect(await verify(JSON.stringify(bundle, null, 2))).toMatchObject({ index })
  },
)

test('the bundle of a log with one entry is verified', async () => {
  const [only] = bundlesOf(agent, log, 1)
  expect(await verify(JSON.stringify(only))).toMatchObject({ index: 0, proof: [] })
})

test('what a bundle was made of is read from it again', () => {
  const read = parseBundle(text)
  expect('fault' in read || bundleOf(read)).toEqual(bundles[6])
})

test('any changed byte is refused', async () => {
  const accepted: string[] = []
  for (let at = 0; at < text.length; at++) {
    const other = String.fromCharCode(text.charCodeAt(at) ^ 1)
    const changed = text.slice(0, at) + other + text.slice(at + 1)
    const answer = await verify(changed)
    if (!('fault' in answer)) accepted.push(changed)
  }
  expect(accepted).toEqual([])
})

test.each([
  ['no JSON', text.slice(1)],
  ['null', 'null'],
  ['a list', '[]'],
  ['an unknown key', text.replace('{', '{"a":1,')],
  ['a second log entry', text.replace('"tlogEntries":[', '"tlogEntries":[{},')],
  ['an entry number with a zero before it', text.replaceAll('"logIndex":"6"', '"logIndex":"06"')],
  ['a hash that is no base64', text.replace('"hashes":["', '"hashes":["*')],
  ['a checkpoint that is no note', text.replace('"envelope":"', '"envelope":"\\u0000')],
])('%s is refused', async (_, changed) => {
  expect(changed).not.toBe(text)
  expect(parseBundle(changed)).toEqual({ fault: expect.any(String) })
  expect(await verify(changed)).toEqual({ fault: expect.any(String) })
})

test.each([
  ['another log', { ...trust, logId: logKey().logId }],
  ['another key of the log', { ...trust, log: logKey().verifier }],
  ['another origin', { ...trust, origin: `${ORIGIN}2` }],
  ['another agent', { ...trust, verify: trustIn(agentKey(), log).verify }],
  ['no agent', { ...trust, verify: () => false }],
])('who trusts %s refuses the bundle', async (_, other) => {
  expect(await verifyBundle(sha256, text, other)).toEqual({ fault: expect.any(String) })
})

test('an envelope is refused under the leaf of another with the same signature', async () => {
  const read = parseBundle(text)
  if ('fault' in read) throw new Error(read.fault)
  const { payloadType, signatures } = read.envelope
  const changed = bundleOf({
    ...read,
    envelope: { payloadType, payload: 'e30=', signatures },
  })
  expect(await verify(JSON.stringify(changed))).toEqual({
    fault: 'the leaf of the bundle belongs to another envelope',
  })
})

test('of an envelope with several signatures the logged one is in the bundle', () => {
  const read = parseBundle(text)
  if ('fault' in read) throw new Error(read.fault)
  const payload = fromBase64(read.envelope.payload) ?? new Uint8Array()
  const [gateway] = signEnvelope(read.envelope.payloadType, payload, [agentKey()]).signatures
  if (!gateway) throw new Error('one signer gives one signature')
  const signatures = [gateway, ...read.envelope.signatures]
  expect(bundleOf({ ...read, envelope: { ...read.envelope, signatures } })).toEqual(bundles[6])
  expect(bundleOf({ ...read, envelope: { ...read.envelope, signatures: [gateway] } })).toEqual({
    fault: 'the leaf is for a signature that the envelope does not have',
  })
})

test('no text makes the reader throw', async () => {
  await fc.assert(
    fc.asyncProperty(fc.oneof(fc.string({ unit: 'binary' }), fc.json()), async any => {
      expect(await verify(any)).toHaveProperty('fault')
    }),
  )
})
