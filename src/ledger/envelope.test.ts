import { createPublicKey, verify as verifySignature } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { fromBase64, toHex } from './base64.ts'
import {
  type Envelope,
  formatEnvelope,
  paeOf,
  parseEnvelope,
  signEnvelope,
  signedBytes,
} from './envelope.ts'

interface Vector {
  readonly id: string
  readonly envelope: {
    readonly payload: string
    readonly payloadType: string
    readonly signatures: readonly { readonly sig: string; readonly keyid?: string }[]
  }
  readonly trustedKeys: readonly string[]
  readonly threshold: number
  readonly pae: string
  readonly expect: 'accept' | 'reject'
}
interface Vectors {
  readonly keys: Readonly<Record<string, { readonly public: string }>>
  readonly vectors: readonly Vector[]
}

const { keys, vectors }: Vectors = JSON.parse(
  readFileSync(join(import.meta.dirname, 'testdata/dsse/vectors.json'), 'utf8'),
)
const url = { alphabet: 'url-safe-base64' }
const bytes = (text: string) => new TextEncoder().encode(text)

/** The vector's envelope in our one way of writing it, where an absent key id is an empty one. */
const oneLine = ({ payload, payloadType, signatures }: Vector['envelope']) =>
  formatEnvelope({
    payload,
    payloadType,
    signatures: signatures.map(({ keyid = '', sig }) => ({ keyid, sig })),
  })

function isBy(name: string, envelope: Envelope, sig: string): boolean {
  const raw = Buffer.from(keys[name]?.public ?? '', 'hex')
  const key = createPublicKey({
    key: { kty: 'OKP', crv: 'Ed25519', x: raw.toString('base64url') },
    format: 'jwk',
  })
  return verifySignature(null, signedBytes(envelope), key, Buffer.from(sig, 'base64'))
}

/** How many of the trusted keys have signed. */
function signers({ trustedKeys }: Vector, envelope: Envelope): number {
  return trustedKeys.filter(name =>
    envelope.signatures.some(({ sig }) => isBy(name, envelope, sig)),
  ).length
}

test('the DSSE example is encoded as the protocol prints it', () => {
  expect(paeOf('http://example.com/HelloWorld', bytes('hello world'))).toEqual(
    bytes('DSSEv1 29 http://example.com/HelloWorld 11 hello world'),
  )
})

test.each(vectors.filter(({ id }) => id !== url.alphabet))(
  'the DSSE vector $id is judged as its authors judge it: $expect',
  vector => {
    const envelope = parseEnvelope(oneLine(vector.envelope))
    const isAccepted = !('fault' in envelope) && signers(vector, envelope) >= vector.threshold
    expect(isAccepted ? 'accept' : 'reject').toBe(vector.expect)
    if (isAccepted) expect(toHex(signedBytes(envelope))).toBe(vector.pae)
  },
)

test('the other alphabet of base64, which DSSE lets a signer choose, is refused: an envelope is written in one way only', () => {
  const vector = vectors.find(({ id }) => id === url.alphabet)
  expect(vector && parseEnvelope(oneLine(vector.envelope))).toEqual({
    fault: 'the payload of the envelope is not standard base64',
  })
})

test('every vector was judged', () => {
  expect(vectors).toHaveLength(9)
})

const sample: Envelope = {
  payloadType: 'text/plain',
  payload: 'aGVsbG8=',
  signatures: [{ keyid: 'a', sig: 'AQID' }],
}
const line = formatEnvelope(sample)

test('an envelope is one line in the order of canonical JSON', () => {
  expect(line).toBe(
    '{"payload":"aGVsbG8=","payloadType":"text/plain","signatures":[{"keyid":"a","sig":"AQID"}]}',
  )
})

test.each([
  ['an empty text', ''],
  ['no JSON', line.slice(1)],
  ['null', 'null'],
  ['a list', '[]'],
  ['a line end', `${line}\n`],
  ['white space', line.replace(':', ': ')],
  ['another order of keys', '{"payloadType":"text/plain","payload":"","signatures":[{}]}'],
  ['an unknown key', line.replace('{', '{"a":1,')],
  ['an unknown key in a signature', line.replace('{"keyid"', '{"a":1,"keyid"')],
  ['a duplicate key', line.replace('{', '{"payload":"",')],
  ['the same payload twice', line.replace('{', '{"payload":"aGVsbG8=",')],
  ['no payload', line.replace('"payload":"aGVsbG8=",', '')],
  ['a payload that is no text', line.replace('"aGVsbG8="', '1')],
  ['a payload without padding', line.replace('aGVsbG8=', 'aGVsbG8')],
  ['a payload with bits to spare', line.replace('aGVsbG8=', 'aGVsbG9=')],
  ['a payload with white space', line.replace('aGVsbG8=', 'aGVs bG8=')],
  ['no type', line.replace('text/plain', '')],
  ['a type that is no text', line.replace('"text/plain"', '{}')],
  ['a type with half a surrogate pair', line.replace('text/plain', '\\ud800')],
  ['no signature', line.replace(/\[.*\]/, '[]')],
  ['signatures that are no list', line.replace(/\[.*\]/, '{"0":{"keyid":"a","sig":"AQID"}}')],
  ['a signature that is null', line.replace(/\[.*\]/, '[null]')],
  ['an empty signature', line.replace('AQID', '')],
  ['a signature that is no base64', line.replace('AQID', 'AQI*')],
  ['a signature without a key id', line.replace('"keyid":"a",', '')],
  ['a bad signature after a good one', line.replace('}]', '},{"keyid":"b","sig":"*"}]')],
])('%s is refused', (_, text) => {
  expect(text).not.toBe(line)
  expect(parseEnvelope(text)).toEqual({ fault: expect.stringMatching(/envelope/) })
})

test('a signer gets the bytes that are signed, and may be an object with a state of its own', () => {
  class Counter {
    readonly keyid = 'counter'
    #signed = 0
    sign(message: Uint8Array) {
      this.#signed += 1
      return Uint8Array.of(this.#signed, message.length)
    }
  }
  const counter = new Counter()
  const envelope = signEnvelope('a', bytes('bc'), [counter, counter])
  const { length } = paeOf('a', bytes('bc'))
  expect(envelope.signatures.map(({ sig }) => fromBase64(sig))).toEqual([
    Uint8Array.of(1, length),
    Uint8Array.of(2, length),
  ])
})

test('an envelope that was never read or made here is not signed for something else', () => {
  expect(() => signedBytes({ ...sample, payload: '*' })).toThrow(TypeError)
})

const text = fc.string({ unit: 'binary' })
const base64 = (minLength: number) =>
  fc.uint8Array({ minLength }).map(value => Buffer.from(value).toString('base64'))
const envelopes: fc.Arbitrary<Envelope> = fc.record({
  payloadType: fc.string({ unit: 'binary', minLength: 1 }),
  payload: base64(0),
  signatures: fc.array(fc.record({ keyid: text, sig: base64(1) }), { minLength: 1 }),
})

test('what is written is read again', () => {
  fc.assert(
    fc.property(envelopes, envelope => {
      expect(parseEnvelope(formatEnvelope(envelope))).toEqual(envelope)
    }),
  )
})

test('two different texts are never the same envelope', () => {
  fc.assert(
    fc.property(envelopes, fc.nat(), text, (envelope, place, change) => {
      const written = formatEnvelope(envelope)
      const at = place % written.length
      const changed = written.slice(0, at) + change + written.slice(at + 1)
      const read = parseEnvelope(changed)
      if (changed !== written && !('fault' in read)) expect(read).not.toEqual(envelope)
    }),
  )
})

test('no text makes the reader throw', () => {
  fc.assert(
    fc.property(fc.oneof(text, fc.json()), any => {
      parseEnvelope(any)
    }),
  )
})

test('the encoding tells every type and payload apart', () => {
  fc.assert(
    fc.property(text, fc.uint8Array(), (type, payload) => {
      const pae = Buffer.from(paeOf(type, payload))
      const length = Buffer.byteLength(type)
      const head = `DSSEv1 ${length} `
      expect(pae.toString('utf8', 0, head.length + length)).toBe(head + type)
      expect(pae.subarray(head.length + length).toString('latin1')).toBe(
        ` ${payload.length} ${Buffer.from(payload).toString('latin1')}`,
      )
    }),
  )
})
