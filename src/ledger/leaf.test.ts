import { createHash } from 'node:crypto'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { fromHex, toHex } from './base64.ts'
import { canonicalJson } from './canonical.ts'
import { signEnvelope, signedBytes } from './envelope.ts'
import { leafOf, leafOfDigest, parseLeaf } from './leaf.ts'

const sha256 = (bytes: Uint8Array): Uint8Array => createHash('sha256').update(bytes).digest()
const signature = Uint8Array.of(1, 2, 3)
const publicKey = Uint8Array.of(4, 5)
const envelope = signEnvelope('text/plain', new TextEncoder().encode('hello'), [
  { keyid: 'a', sign: () => signature },
])
const leaf = leafOf(sha256, envelope, publicKey, signature)
const text = new TextDecoder().decode(leaf)
const digest = sha256(signedBytes(envelope))

test('a leaf is the canonical JSON of a Rekor v2 hashedrekord', () => {
  const base64 = (bytes: Uint8Array) => Buffer.from(bytes).toString('base64')
  const body = {
    apiVersion: '0.0.2',
    kind: 'hashedrekord',
    spec: {
      hashedRekordV002: {
        data: { algorithm: 'SHA2_256', digest: base64(digest) },
        signature: {
          content: base64(signature),
          verifier: {
            keyDetails: 'PKIX_ECDSA_P256_SHA_256',
            publicKey: { rawBytes: base64(publicKey) },
          },
        },
      },
    },
  }
  expect(text).toBe(canonicalJson(body))
})

test('a leaf names the entry by the digest of what was signed', () => {
  expect(parseLeaf(leaf)).toEqual({ digest: toHex(digest), signature, publicKey })
  expect(leafOfDigest(digest, publicKey, signature)).toEqual(leaf)
})

test.each([
  ['nothing', ''],
  ['another version', text.replace('0.0.2', '0.0.1')],
  ['another kind', text.replace('"hashedrekord"', '"dsse"')],
  ['another algorithm', text.replace('SHA2_256', 'SHA2_512')],
  ['another sort of key', text.replace('PKIX_ECDSA_P256_SHA_256', 'PKIX_ED25519')],
  ['white space', text.replace(':', ': ')],
  ['a line end', `${text}\n`],
  ['a digest too short', text.replace(/"digest":"[^"]*"/, '"digest":"AQID"')],
  ['an empty signature', text.replace('AQID', '')],
  ['a signature that is no base64', text.replace('AQID', 'A"ID')],
  ['no key', text.replace('BAU=', '')],
  ['base64 with bits to spare', text.replace('BAU=', 'BAV=')],
  ['a second signature', text.replace('AQID', 'AQID"},"signature":{"content":"AQID')],
  ['the parts in another order', text.replace('AQID', '","verifier":{')],
  ['a byte order mark', `\ufeff${text}`],
])('%s is refused', (_, changed) => {
  expect(changed).not.toBe(text)
  expect(parseLeaf(new TextEncoder().encode(changed))).toHaveProperty('fault')
})

test('bytes that are no UTF-8 are refused', () => {
  expect(parseLeaf(Uint8Array.of(...leaf.subarray(0, -1), 0xff))).toHaveProperty('fault')
})

test('what is written is read again', () => {
  const some = fc.uint8Array({ minLength: 1 })
  const hash = fc.uint8Array({ minLength: 32, maxLength: 32 })
  fc.assert(
    fc.property(hash, some, some, (name, key, bytes) => {
      const read = parseLeaf(leafOfDigest(name, key, bytes))
      expect(read).toEqual({ digest: toHex(name), signature: bytes, publicKey: key })
      expect('fault' in read || fromHex(read.digest)).toEqual(name)
    }),
  )
})

test('no changed byte is read as the same leaf, and none makes the reader throw', () => {
  const same = parseLeaf(leaf)
  for (let at = 0; at < leaf.length; at++)
    for (let bit = 0; bit < 8; bit++) {
      const changed = leaf.slice()
      changed[at] = (leaf[at] ?? 0) ^ (1 << bit)
      expect(parseLeaf(changed)).not.toEqual(same)
    }
})
