import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { pairOf, sha256, verifyEd25519 } from '../../test/tree.ts'
import { fromHex } from './base64.ts'
import { type Checkpoint, formatCheckpoint } from './checkpoint.ts'
import { emptyRoot, type Hash, leafHash } from './hash.ts'
import { signNote } from './note.ts'
import { ED25519, noteSigner, noteVerifier, verifierKey } from './note-key.ts'
import {
  formatWitnessRequest,
  judgeWitnessRequest,
  parseWitnessRequest,
  type WitnessKnowledge,
} from './witness-request.ts'

const testdata = (name: string) =>
  readFileSync(join(import.meta.dirname, 'testdata/witness', name), 'utf8')
const litewitness: {
  origin: string
  publicKey: string
  steps: { name: string; body: string; status: number }[]
} = JSON.parse(testdata('litewitness.json'))

/** A witness that knows one log and remembers what it cosigned. */
function witnessOf(
  origin: string,
  publicKey: Uint8Array,
  last?: Pick<Checkpoint, 'size' | 'root'>,
) {
  const key = verifierKey(sha256, origin, ED25519, publicKey)
  const state = { last }
  const knowledge: WitnessKnowledge = {
    verifiersOf: name => (name === origin ? [noteVerifier(key, verifyEd25519)] : undefined),
    lastOf: () => state.last,
  }
  const ask = async (body: string) => {
    const answer = await judgeWitnessRequest(sha256, body, knowledge)
    if (answer.status === 200) state.last = answer.checkpoint
    return answer
  }
  return { ask, state }
}

test('the example of the specification is read and written', () => {
  const body = testdata('example.txt')
  const request = parseWitnessRequest(body)
  if ('fault' in request) throw new Error(request.fault)
  expect(request).toMatchObject({ old: 20852014, proof: { length: 4 } })
  expect(request.checkpoint.startsWith('example.com/behind-the-sofa\n20852163\n')).toBe(true)
  expect(formatWitnessRequest(request)).toBe(body)
})

test('what litewitness is asked in its tests is answered as it answers', async () => {
  const publicKey = fromHex(litewitness.publicKey) ?? new Uint8Array(32)
  const { ask, state } = witnessOf(litewitness.origin, publicKey)
  const statuses: [string, number][] = []
  for (const { name, body } of litewitness.steps) statuses.push([name, (await ask(body)).status])
  expect(statuses).toEqual(litewitness.steps.map(({ name, status }) => [name, status]))
  expect(state.last?.size).toBe(5)
})

test('a log that asks with another old size gets the last one', async () => {
  const publicKey = fromHex(litewitness.publicKey) ?? new Uint8Array(32)
  const root = fromHex(`2a${'00'.repeat(31)}`) ?? new Uint8Array(32)
  const { ask } = witnessOf(litewitness.origin, publicKey, { size: 1, root })
  const [first] = litewitness.steps
  expect(await ask(first?.body ?? '')).toMatchObject({ status: 409, size: 1 })
})

describe('a log without entries, as litewitness has it', () => {
  const origin = 'example.com/log'
  const pair = pairOf(1)
  const signer = noteSigner(verifierKey(sha256, origin, ED25519, pair.publicKey), pair.sign)
  const empty = emptyRoot(sha256)
  const leaf = leafHash(sha256, new TextEncoder().encode('leaf'))
  const zero = new Uint8Array(32)
  const cases: [string, number, number, number, Hash, Hash[], number][] = [
    ['an empty tree', 0, 0, 0, empty, [], 200],
    ['an invalid empty root', 0, 0, 0, leaf, [], 422],
    ['an empty root of zeroes', 0, 0, 0, zero, [], 422],
    ['an empty tree with a proof', 0, 0, 0, empty, [leaf], 422],
    ['a first tree with entries', 0, 0, 1, leaf, [], 200],
    ['a first tree with entries and a proof', 0, 0, 1, leaf, [leaf], 422],
    ['an old size that does not match', 1, 0, 1, leaf, [leaf], 409],
    ['an old size above the new one', 1, 1, 0, empty, [], 400],
    ['a known tree again', 1, 1, 1, leaf, [], 200],
    ['a known tree again with a proof', 1, 1, 1, leaf, [leaf], 422],
    ['another tree of a known size', 1, 1, 1, zero, [], 409],
  ]

  test.each(cases)('%s', async (_, known, old, size, root, proof, status) => {
    const { ask } = witnessOf(origin, pair.publicKey, { size: known, root: known ? leaf : empty })
    const checkpoint = signNote(formatCheckpoint({ origin, size, root }), [signer])
    const body = formatWitnessRequest({ old, proof, checkpoint })
    expect(await ask(body)).toMatchObject({ status })
    // What was accepted may be sent again, from the size that is then known.
    const again = formatWitnessRequest({ old: size, proof: [], checkpoint })
    if (status === 200) expect(await ask(again)).toMatchObject({ status: 200 })
  })
})

const LINE = `${'A'.repeat(43)}=\n`

test.each([
  ['no old size', `\n${'o\n1\n'}`],
  ['an old size with a zero in front', 'old 01\n\no\n'],
  ['a negative old size', 'old -1\n\no\n'],
  ['an old size beyond 2^53', 'old 9007199254740993\n\no\n'],
  ['something behind the old size', 'old 1 \n\no\n'],
  ['another word', 'size 1\n\no\n'],
  ['64 hashes', `old 1\n${LINE.repeat(64)}\no\n`],
  ['a short hash', 'old 1\nAAAA\n\no\n'],
  ['a hash that is no base64', `old 1\n${LINE.replace('=', '')}\no\n`],
  ['no checkpoint', 'old 1\n'],
  ['carriage returns', 'old 1\r\n\r\no\r\n'],
  ['nothing', ''],
])('a request with %s is a bad request', async (_, body) => {
  const { ask } = witnessOf('o', pairOf(1).publicKey)
  expect(parseWitnessRequest(body)).toHaveProperty('fault')
  expect(await ask(body)).toMatchObject({ status: 400 })
})
