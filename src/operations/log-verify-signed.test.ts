import { generateKeyPairSync } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { openPair, type Pair, textOf } from '../../test/governed-pair.ts'
import { entriesOf } from '../../test/log-entries.ts'
import { openGateway, type Predicates } from '../governance/index.ts'
import { loadConfig } from '../workspace/index.ts'
import approve from './approve.ts'
import logVerify from './log-verify.ts'

const ID = '550e8400-e29b-41d4-a716-446655440000'
const OTHER = ID.replace('550e', '650e')

let pair: Pair
beforeEach(async () => {
  pair = await openPair()
  const { root } = pair.receiver
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const file = join(root, '.waybill/ada.pem')
  writeFileSync(file, privateKey.export({ type: 'pkcs8', format: 'pem' }), { mode: 0o600 })
  const key = publicKey.export({ type: 'spki', format: 'der' }).toString('base64')
  const ada = `  - { person: ada, key: "${key}", from: 2026-01-01T00:00:00Z }\n`
  const config = textOf(pair.receiver, 'waybill.yaml')
  pair.receiver.write('waybill.yaml', config.replace(/^trust:\n/m, `trust:\n${ada}`))
  pair.receiver.commit()
  const document = await pair.bring(undefined, undefined, { handoff_id: ID })
  await approve.run({ handoff: document, by: 'ada', why: 'read', key: file }, pair.receiver.app())
  await pair.receive(document)
})
afterEach(() => pair.remove())

const run = (given: Parameters<typeof logVerify.run>[0] = {}) =>
  logVerify.run(given, pair.receiver.app())

/** What was recorded last of a kind. */
async function recorded<K extends keyof Predicates>(kind: K) {
  const entries = await entriesOf(pair.receiver)
  const found = entries.findLast(({ statement }) => statement.predicateType.includes(kind))
  if (!found) throw new Error(`nothing of the kind ${kind} was recorded`)
  const { subject, predicate } = found.statement
  return { subject, predicate: predicate as unknown as Predicates[K] & { agents: string[] } }
}

/** What that says beyond what every entry says. */
async function saidIn<K extends keyof Predicates>(kind: K): Promise<Predicates[K]> {
  const { at: _, ids: __, agents: ___, ...says } = Object((await recorded(kind)).predicate)
  return says
}

/** Records what the key of the gateway signs, whatever that is. */
async function record<K extends keyof Predicates>(kind: K, changed: object, handoff = ID) {
  const { root } = pair.receiver
  const { subject, predicate } = await recorded(kind)
  const gateway = await openGateway(root, await loadConfig(root), { now: Date.now })
  try {
    const { agents } = predicate
    const says = changed as Predicates[K]
    await gateway.record(kind, { subject, ids: { handoff }, agents, says })
  } finally {
    await gateway.close()
  }
}

test('what people and senders have signed is verified with their own keys', async () => {
  const { verified, signed, size } = await run()
  expect({ verified, signed }).toEqual({ verified: true, signed: { people: 1, senders: null } })
  expect(await run({ senders: true })).toMatchObject({
    ...{ verified: true, size, faults: [] },
    signed: { people: 1, senders: 1 },
  })
})

const UNLISTED = '0'.repeat(64)

test.each<[string, (says: Predicates['approval']) => object, RegExp]>([
  ['without a signature', ({ proof: _, ...says }) => says, /no signature of theirs/],
  [
    'with a signature that is none',
    says => ({ ...says, proof: { ...says.proof, signature: 'AAAA' } }),
    /does not match this statement/,
  ],
  [
    'with a key that is not listed',
    says => ({ ...says, proof: { ...says.proof, keyid: UNLISTED } }),
    /does not list the key/,
  ],
  [
    'by another person',
    says => ({ ...says, by: 'eve', proof: { ...says.proof, by: 'eve' } }),
    /differs from the entry \(by\)/,
  ],
  ['a second time', says => says, /entry 0 already records the same statement/],
  [
    'to the opposite of what was signed',
    says => ({ ...says, decision: 'rejected' }),
    /differs from the entry \(decision\)/,
  ],
])('a statement that the gateway records %s is named', async (_, change, words) => {
  await record('approval', change(await saidIn('approval')))
  expect(await run()).toMatchObject({
    verified: false,
    errors: 1,
    first: { code: 'ledger/unproved-statement', index: 2, message: expect.stringMatching(words) },
    signed: { people: 1 },
  })
})

test.each<[string, (says: Predicates['handoff-accepted']) => object, RegExp]>([
  [
    'another document',
    says => ({ ...says, document: { ...(says.document as object), description: 'Pay.' } }),
    /envelope\/wrong-subject/,
  ],
  [
    'a signature that is none',
    says => {
      const { signatures, ...rest } = says.envelope as { signatures: { keyid: string }[] }
      const [{ keyid } = { keyid: '' }] = signatures
      return { ...says, envelope: { ...rest, signatures: [{ keyid, sig: 'AAAA' }] } }
    },
    /envelope\/wrong-algorithm/,
  ],
  ['no envelope', says => ({ ...says, envelope: null }), /envelope\/malformed/],
])(
  'an acceptance that the gateway records with %s is named where senders are asked for',
  async (_, change, words) => {
    await record('handoff-accepted', change(await saidIn('handoff-accepted')), OTHER)
    expect(await run()).toMatchObject({ verified: true, signed: { senders: null } })
    expect(await run({ senders: true })).toMatchObject({
      errors: 1,
      first: { code: 'ledger/unproved-sender', index: 2, message: expect.stringMatching(words) },
      signed: { senders: 1 },
    })
  },
)

test('the people of another log are reported as unknown', async () => {
  const { root } = pair.receiver
  const config = readFileSync(join(root, 'waybill.yaml'), 'utf8')
  pair.receiver.write('waybill.yaml', config.replace(/^ {2}- \{ person: ada.*\n/m, ''))
  expect(await run()).toMatchObject({ first: { code: 'ledger/unproved-statement' }, errors: 1 })
  expect(await run({ ledger: '.waybill/ledger' })).toMatchObject({
    ...{ verified: true, warnings: 1 },
    faults: [{ code: 'ledger/unknown-person', index: 0 }],
  })
})

test.each([
  [{ senders: true, quick: true }, /--quick skips the entries/],
  [{ senders: true, key: ['x'] }, /--senders needs the keys of the agents/],
  [{ senders: true, ledger: '.waybill/ledger' }, /--senders needs the keys of the agents/],
])('what does not go together is refused: %j', async (given, words) => {
  await expect(run(given)).rejects.toThrow(words)
})
