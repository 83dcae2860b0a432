import { createHash, generateKeyPairSync, sign, verify } from 'node:crypto'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { toHex } from './base64.ts'
import type { Envelope, VerifySignature } from './envelope.ts'
import { signEnvelope } from './envelope.ts'
import { leafHash } from './hash.ts'
import {
  type Batch,
  batchReceipts,
  PROMISE_PAYLOAD,
  type Receipt,
  readPromise,
  verifyReceipt,
} from './receipt.ts'

const sha256 = (bytes: Uint8Array): Uint8Array => createHash('sha256').update(bytes).digest()
const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
let signed = 0
const signer = {
  keyid: 'gateway',
  sign: (message: Uint8Array) => {
    signed += 1
    return sign('sha256', message, privateKey)
  },
}
const byGateway: VerifySignature = (keyid, message, signature) =>
  keyid === 'gateway' && verify('sha256', message, publicKey, signature)

const batchOf = (size: number, first = 1000): Batch => ({
  origin: 'example.org/log',
  first,
  time: 1_795_000_000_000,
  entries: Array.from({ length: size }, (_, at) => ({
    leaf: leafHash(sha256, Uint8Array.of(at)),
    digest: toHex(sha256(Uint8Array.of(at))),
  })),
})
const check = (receipt: unknown) => verifyReceipt(sha256, receipt, byGateway)

test.each([1, 2, 3, 7, 64])(
  'a batch of %i has one signature and a good receipt for each',
  async size => {
    signed = 0
    const receipts = batchReceipts(sha256, batchOf(size), signer)
    expect(signed).toBe(1)
    expect(receipts.map(({ index }) => index)).toEqual(
      Array.from({ length: size }, (_, at) => 1000 + at),
    )
    for (const receipt of receipts) {
      expect(await check(receipt)).toBe(true)
      expect(await check(JSON.parse(JSON.stringify(receipt)))).toBe(true)
    }
  },
)

test('a promise says which log promised what, and when', () => {
  const [receipt] = batchReceipts(sha256, batchOf(3), signer)
  expect(receipt && readPromise(receipt.promise)).toEqual({
    origin: 'example.org/log',
    first: 1000,
    size: 3,
    root: expect.stringMatching(/^[0-9a-f]{64}$/),
    time: 1_795_000_000_000,
  })
})

test('a promise by another key is refused', async () => {
  const other = generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey
  const receipts = batchReceipts(sha256, batchOf(2), {
    keyid: 'gateway',
    sign: message => sign('sha256', message, other),
  })
  for (const receipt of receipts) expect(await check(receipt)).toHaveProperty('fault')
})

const receipts = batchReceipts(sha256, batchOf(5), signer)
const [receipt, next] = receipts
if (!receipt || !next) throw new Error('there are five receipts')

const repromised = (claim: unknown, type = PROMISE_PAYLOAD): Envelope =>
  signEnvelope(type, new TextEncoder().encode(JSON.stringify(claim)), [signer])
const claim = readPromise(receipt.promise)

test.each([
  ['null', null],
  ['a text', 'receipt'],
  ['a list', [receipt]],
  ['another index', { ...receipt, index: next.index }],
  ['an index before the batch', { ...receipt, index: 999 }],
  ['an index after the batch', { ...receipt, index: 1005 }],
  ['an index that is no count', { ...receipt, index: 1000.5 }],
  ['an index that is a text', { ...receipt, index: '1000' }],
  ['the digest of another entry', { ...receipt, digest: next.digest }],
  ['a digest in capitals', { ...receipt, digest: receipt.digest.toUpperCase() }],
  ['the leaf of another entry', { ...receipt, leaf: next.leaf }],
  ['leaf and digest swapped', { ...receipt, leaf: receipt.digest, digest: receipt.leaf }],
  ['the path of another entry', { ...receipt, path: next.path }],
  ['a path too short', { ...receipt, path: receipt.path.slice(1) }],
  ['a path too long', { ...receipt, path: [...receipt.path, receipt.path[0]] }],
  ['a path of other things', { ...receipt, path: [1, 2, 3] }],
  ['a path that is no list', { ...receipt, path: '' }],
  ['an unknown key', { ...receipt, note: '' }],
  ['a promise with an unknown key', { ...receipt, promise: { ...receipt.promise, a: 1 } }],
  ['no promise', { ...receipt, promise: undefined }],
  ['a promise of another type', { ...receipt, promise: repromised(claim, 'text/plain') }],
  ['a promise that is not canonical', { ...receipt, promise: repromised({ size: 5, ...claim }) }],
  ['a promise of more', { ...receipt, promise: repromised({ ...claim, zzz: 1 }) }],
  ['a promise that is no object', { ...receipt, promise: repromised([]) }],
  [
    'a promise without a signature',
    { ...receipt, promise: { ...receipt.promise, signatures: [] } },
  ],
  [
    'a promise with two signatures',
    {
      ...receipt,
      promise: {
        ...receipt.promise,
        signatures: [...receipt.promise.signatures, ...receipt.promise.signatures],
      },
    },
  ],
  [
    'a promise of another key',
    {
      ...receipt,
      promise: {
        ...receipt.promise,
        signatures: receipt.promise.signatures.map(({ sig }) => ({ keyid: 'agent', sig })),
      },
    },
  ],
])('%s is refused', async (_, changed) => {
  expect(await check(changed)).toEqual({ fault: expect.any(String) })
})

describe('any change of one character', () => {
  const text = JSON.stringify(receipt)

  test('anywhere in the text of a receipt is refused', async () => {
    for (let at = 0; at < text.length; at++) {
      const changed = `${text.slice(0, at)}${text[at] === 'A' ? 'B' : 'A'}${text.slice(at + 1)}`
      let value: unknown
      try {
        value = JSON.parse(changed)
      } catch {
        continue
      }
      expect(await check(value), changed).not.toBe(true)
    }
  })

  test('to any other character is refused', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.nat(text.length - 1),
        fc.string({ unit: 'binary', maxLength: 2 }),
        async (at, other) => {
          const changed = text.slice(0, at) + other + text.slice(at + 1)
          let value: unknown
          try {
            value = JSON.parse(changed)
          } catch {
            return
          }
          if (JSON.stringify(value) !== text) expect(await check(value)).not.toBe(true)
        },
      ),
      { numRuns: 2000 },
    )
  })
})

test('any mixture of the parts of two receipts of a batch is refused', async () => {
  const keys: (keyof Receipt)[] = ['index', 'digest', 'leaf', 'path']
  for (const one of receipts)
    for (const other of receipts)
      for (const key of keys)
        if (JSON.stringify(one[key]) !== JSON.stringify(other[key]))
          expect(await check({ ...one, [key]: other[key] }), key).not.toBe(true)
})

test('no value makes the check throw', async () => {
  await fc.assert(
    fc.asyncProperty(fc.anything(), fc.anything(), async (whole, part) => {
      expect(await check(whole)).not.toBe(true)
      for (const key of Object.keys(receipt))
        expect(await check({ ...receipt, [key]: part })).not.toBe(true)
    }),
  )
})
