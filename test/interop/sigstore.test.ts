import { bundleFromJSON } from '@sigstore/bundle'
import { toSignedEntity } from '@sigstore/verify'
import { expect, test } from 'vitest'
import { type SigstoreBundle, verifyBundle } from '../../src/ledger/index.ts'
import {
  type AgentKey,
  agentKey,
  bundlesOf,
  type LogKey,
  logKey,
  ORIGIN,
  sha256,
  trustIn,
} from './logged.ts'
import { sigstoreVerifier } from './sigstore-verifier.js'

const verifierFor = (signer: AgentKey, trusted: LogKey) =>
  sigstoreVerifier({ log: { name: ORIGIN, ...trusted }, signer })

const agent = agentKey()
const log = logKey()
const verifier = verifierFor(agent, log)
const bundles = bundlesOf(agent, log, 11)

/** Why the Sigstore verifier refuses a bundle; nothing if it accepts it. */
function refusal(bundle: unknown, by = verifier): string | undefined {
  try {
    by.verify(toSignedEntity(bundleFromJSON(bundle)))
    return undefined
  } catch (error) {
    return String(error)
  }
}

test.each(bundles.map((bundle, index) => ({ index, bundle })))(
  'the Sigstore verifier accepts the bundle of entry $index of eleven',
  ({ bundle }) => {
    expect(refusal(JSON.parse(JSON.stringify(bundle)))).toBeUndefined()
  },
)

test('the Sigstore verifier accepts the only entry of a log', () => {
  expect(refusal(bundlesOf(agent, log, 1)[0])).toBeUndefined()
})

test.each([
  ['the key of another log', verifierFor(agent, logKey())],
  ['another agent', verifierFor(agentKey(), log)],
])('the Sigstore verifier refuses the bundle if it trusts %s', (_, other) => {
  expect(refusal(bundles[6], other)).toBeDefined()
})

test('the Sigstore verifier refuses the proof of another entry', () => {
  const [one, other] = [bundles[6], bundles[7]]
  const swapped = {
    ...one,
    verificationMaterial: other?.verificationMaterial,
  }
  expect(refusal(swapped)).toBeDefined()
})

/** Every text in a bundle, by its JSON Pointer. */
function textsOf(value: unknown, at = ''): [string, string][] {
  if (typeof value === 'string') return [[at, value]]
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([key, member]) => textsOf(member, `${at}/${key}`))
}

const BASE64 = /\/(?:payload|sig|canonicalizedBody|rootHash|keyId|hashes\/[0-9]+)$/

/** A copy of a value with another text at a place. */
function replaced(value: unknown, at: string, text: string): unknown {
  const [key = '', ...rest] = at.slice(1).split('/')
  if (at === '') return text
  const inner = (member: unknown) => replaced(member, rest.map(part => `/${part}`).join(''), text)
  if (Array.isArray(value))
    return value.map((member, index) => (String(index) === key ? inner(member) : member))
  return typeof value === 'object' && value !== null
    ? Object.fromEntries(
        Object.entries(value).map(([name, member]) => [
          name,
          name === key ? inner(member) : member,
        ]),
      )
    : value
}

/** A bundle with one bit of each byte of each text changed; where the text is base64, of the bytes that it stands for. */
function* changes(
  bundle: SigstoreBundle,
): Generator<{ at: string; byte: number; bundle: unknown }> {
  for (const [at, text] of textsOf(bundle)) {
    const encoding = BASE64.test(at) ? 'base64' : 'utf8'
    const original = Buffer.from(text, encoding)
    for (const [byte, value] of original.entries()) {
      const bytes = Buffer.from(original)
      // Not the highest bit, so that a text stays one.
      bytes[byte] = value ^ (1 << (byte % 7))
      yield { at, byte, bundle: replaced(bundle, at, bytes.toString(encoding)) }
    }
  }
}

const entry = '/verificationMaterial/tlogEntries/0'
/** Where the Sigstore verifier lets some changed byte pass: nothing of it says anything that a signature does not say too. */
const UNREAD = [
  // Another version of the format, with the same parts.
  '/mediaType',
  `${entry}/logIndex`,
  `${entry}/inclusionProof/rootHash`,
  `${entry}/inclusionProof/treeSize`,
  '/dsseEnvelope/signatures/0/keyid',
]

test('a change of any byte is refused by the Sigstore verifier, but where something signed says the same', () => {
  const original = bundles[6]
  if (!original) throw new Error('there are eleven bundles')
  const accepted = [...changes(original)].filter(({ bundle }) => refusal(bundle) === undefined)
  // The last bits of a signature's base64, and its padding, stand for nothing: some of their changes pass.
  const [{ inclusionProof }] = original.verificationMaterial.tlogEntries
  const end = Buffer.byteLength(inclusionProof.checkpoint.envelope) - '==\n'.length
  const counted = accepted.filter(
    ({ at, byte }) => at !== `${entry}/inclusionProof/checkpoint/envelope` || byte < end,
  )
  expect([...new Set(counted.map(({ at }) => at))]).toEqual(UNREAD)
})

test('every text of a bundle was changed', () => {
  const original = bundles[6]
  if (!original) throw new Error('there are eleven bundles')
  expect([...changes(original)].length).toBeGreaterThan(1300)
})

test('our own verifier refuses a change of any byte', async () => {
  const original = bundles[6]
  if (!original) throw new Error('there are eleven bundles')
  const accepted: string[] = []
  for (const { at, byte, bundle } of changes(original)) {
    const answer = await verifyBundle(sha256, JSON.stringify(bundle), trustIn(agent, log))
    if (!('fault' in answer)) accepted.push(`${at} ${byte}`)
  }
  expect(accepted).toEqual([])
})
