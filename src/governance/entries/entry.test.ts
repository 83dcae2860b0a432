import { generateKeyPairSync, sign } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { fromBase64, parseLeaf, signedBytes } from '../../ledger/index.ts'
import { sha256 } from '../../workspace/index.ts'
import { KINDS, kindOf, predicateTypeOf } from '../urn.ts'
import { draftEntry, keysOf, readEntry } from './entry.ts'
import type { Predicates } from './predicates.ts'
import { formatTombstone } from './tombstone.ts'

const pair = generateKeyPairSync('ec', { namedCurve: 'P-256' })
const publicDer = pair.publicKey.export({ type: 'spki', format: 'der' })
const signer = {
  keyid: sha256(publicDer),
  publicDer,
  sign: (message: Uint8Array) => sign('sha256', message, pair.privateKey),
}
const ID = '550e8400-e29b-41d4-a716-446655440000'
const subject = [{ name: 'handoff', digest: { sha256: sha256('a') } }]
const always = { at: '2026-11-21T12:00:00Z', ids: { handoff: ID }, agents: ['a-1', 'b-2'] }
const attestation = null as unknown as Predicates['handoff-sent']['attestation']
const answered = { bytes: sha256('b'), attestation: null, found: [] }

const accepted = draftEntry(
  'handoff-accepted',
  { subject, predicate: { ...always, ...answered, document: {}, envelope: null } },
  signer,
)

describe('an entry', () => {
  test('is named by what was signed, and its leaf says the same', () => {
    const entry = readEntry(accepted.content)
    if (entry.is !== 'entry') throw new Error(entry.is)
    expect(entry).toMatchObject({ kind: 'handoff-accepted', digest: accepted.digest })
    expect(sha256(signedBytes(entry.envelope))).toBe(accepted.digest)
    const leaf = parseLeaf(accepted.leaf)
    if ('fault' in leaf) throw new Error(leaf.fault)
    expect(leaf.digest).toBe(accepted.digest)
    expect(leaf.signature).toEqual(fromBase64(entry.envelope.signatures[0]?.sig ?? ''))
  })

  test('is found by its ids, its agents, its kind and its digests', () => {
    expect(accepted.keys.also).toEqual(
      expect.arrayContaining([
        `digest:${accepted.digest}`,
        `digest:${sha256('a')}`,
        `id:${ID}`,
        'agent:a-1',
        'agent:b-2',
        'kind:handoff-accepted',
      ]),
    )
  })

  test('has the same keys when the index is rebuilt from its content', () => {
    expect(keysOf(accepted.content)).toEqual({ digest: accepted.digest, keys: accepted.keys })
  })

  test('keeps its keys when it is erased, so that its id stays taken', () => {
    const { digest, keys } = accepted
    const tombstone = formatTombstone({
      digest,
      ids: { handoff: ID },
      keys,
      reason: 'x',
      by: 'ada',
      at: always.at,
    })
    expect(keysOf(tombstone)).toEqual({ digest, keys, isErased: true })
    expect(readEntry(tombstone)).toMatchObject({ is: 'erased', digest })
  })

  test('that cannot be read has no keys, and says so', () => {
    for (const content of ['', '{', '{"tombstone":1}', accepted.content.slice(0, -1)]) {
      expect(readEntry(content).is).toBe('unreadable')
      expect(keysOf(content)).toEqual({ digest: '', keys: { unique: [], also: [] } })
    }
  })
})

describe('what can be only once', () => {
  const uniqueOf = (content: string) => keysOf(content).keys.unique

  test('is that a handoff is accepted, that it is sent, and that a record is taken in', () => {
    const sent = draftEntry(
      'handoff-sent',
      { subject, predicate: { ...always, attestation, document: {} } },
      signer,
    )
    const record = draftEntry(
      'record',
      { subject, predicate: { ...always, ids: { record: sha256('r') }, type: 'x', record: null } },
      signer,
    )
    expect([accepted, sent, record].map(({ content }) => uniqueOf(content))).toEqual([
      [`accepted:${ID}`],
      [`sent:${ID}`],
      [`record:${sha256('r')}`],
    ])
  })

  test('a refusal leaves the id free, so that a sender cannot use up the ids of others', () => {
    const rejected = draftEntry(
      'handoff-rejected',
      { subject, predicate: { ...always, ...answered, stage: 'receive' } },
      signer,
    )
    expect(uniqueOf(rejected.content)).toEqual([])
  })
})

test('every kind has a predicate type of its own, and leads back from it', () => {
  expect(new Set(KINDS.map(predicateTypeOf)).size).toBe(KINDS.length)
  for (const kind of KINDS) expect(kindOf(predicateTypeOf(kind))).toBe(kind)
  expect(kindOf('urn:waybill:predicate:handoff:v1')).toBeUndefined()
})
