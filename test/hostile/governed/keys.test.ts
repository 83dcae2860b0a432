import { execFileSync } from 'node:child_process'
import { createHmac, generateKeyPairSync, type KeyObject, sign } from 'node:crypto'
import { chmodSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import {
  ANALYSIS,
  DESK,
  type ForgedSigner,
  handoffOf,
  inSeconds,
  keyidOf,
  keyOf,
  listedKey,
  newKey,
  PRODUCT,
  sha256,
  signerOf,
  TECHNICAL,
} from './forge.ts'
import { expectRefused, expectVerified, prepare, type Stand } from './stand.ts'

// Valid signatures by keys that do not count, and signatures that are none.

const prepared = await prepare()
const stand = prepared.stand()
const product = keyOf(prepared.sender, PRODUCT)
const keys = { early: newKey(), expired: newKey(), revoked: newKey(), person: newKey() }
beforeAll(() => {
  list(`agent: ${PRODUCT}`, keys.early, `from: ${inSeconds(3600)}`)
  list(`agent: ${PRODUCT}`, keys.expired, `from: ${inSeconds(-7200)}`, `until: ${inSeconds(-1)}`)
  list(`agent: ${PRODUCT}`, keys.revoked, `from: ${inSeconds(-7200)}`, `revoked: ${inSeconds(-1)}`)
  list('person: ada', keys.person, `from: ${inSeconds(-7200)}`)
})

/** Lists a key in the committed configuration, as a person would. */
function list(holder: string, key: KeyObject, ...times: readonly string[]): void {
  listIn(stand, holder, key, ...times)
}

function listIn({ root }: Stand, holder: string, key: KeyObject, ...times: readonly string[]) {
  const file = join(root, 'waybill.yaml')
  const lines = [`  - ${holder}`, `    key: ${listedKey(key)}`, ...times.map(time => `    ${time}`)]
  writeFileSync(file, `${readFileSync(file, 'utf8').trimEnd()}\n${lines.join('\n')}\n`)
}

async function refused(codes: readonly string[], ...signers: readonly ForgedSigner[]) {
  const handoff = handoffOf()
  const envelope = prepared.seal(handoff, { signers })
  await expectRefused(stand, await stand.receive({ document: handoff, envelope }), codes)
}

describe('a valid signature', () => {
  test.each<[string, () => KeyObject, string]>([
    ['by a key that is not listed', newKey, 'envelope/untrusted-key'],
    ['by a key that has expired', () => keys.expired, 'envelope/key-expired'],
    ['by a key that does not count yet', () => keys.early, 'envelope/key-not-yet-valid'],
    ['by a key that was revoked', () => keys.revoked, 'envelope/key-revoked'],
    [
      'by the key of another agent',
      () => keyOf(prepared.sender, TECHNICAL),
      'envelope/wrong-agent',
    ],
    [
      'by the key of the receiving agent',
      () => keyOf(prepared.sender, ANALYSIS),
      'envelope/wrong-agent',
    ],
    ['by the key of an orchestrator', () => keyOf(prepared.sender, DESK), 'envelope/wrong-agent'],
    ['by the key of a person', () => keys.person, 'envelope/wrong-agent'],
    ['by the gateway of the receiver', () => keyOf(stand.root, 'gateway'), 'envelope/wrong-agent'],
    [
      'by the gateway of the sender',
      () => keyOf(prepared.sender, 'gateway'),
      'envelope/wrong-agent',
    ],
  ])('%s is refused', (_, key, code) => refused([code], signerOf(key())))

  test('by an unlisted key, made with openssl, is refused', async () => {
    const file = join(stand.root, '../mallory.key.pem')
    const openssl = (...args: readonly string[]) => execFileSync('openssl', args)
    openssl('ecparam', '-name', 'prime256v1', '-genkey', '-noout', '-out', file)
    const der = openssl('pkey', '-in', file, '-pubout', '-outform', 'DER')
    const message = join(stand.root, '../message')
    await refused(['envelope/untrusted-key'], {
      keyid: sha256(der),
      sign: bytes => {
        writeFileSync(message, bytes)
        return openssl('dgst', '-sha256', '-sign', file, message)
      },
    })
  })

  test('under the key id of the source, by another key, is refused', () =>
    refused(['envelope/bad-signature'], { ...signerOf(newKey()), keyid: keyidOf(product) }))

  test('without a key id is refused, for its owner is not guessed', () =>
    refused(['envelope/untrusted-key'], { ...signerOf(product), keyid: '' }))

  test('whose private half lies next to the keys of the receiver is refused all the same', async () => {
    const copy = stand.copy()
    const mallory = newKey()
    const name = `.waybill/keys/${PRODUCT}.${keyidOf(mallory)}.pem`
    copy.write(name, mallory.export({ type: 'pkcs8', format: 'pem' }))
    const handoff = handoffOf()
    const envelope = prepared.seal(handoff, { signers: [signerOf(mallory)] })
    chmodSync(join(copy.root, name), 0o600)
    const attacked = await copy.receive({ document: handoff, envelope })
    await expectRefused(copy, attacked, ['envelope/untrusted-key'])
    copy.remove()
  })

  test.each([
    [
      'in the envelope',
      (text: string, key: string) => text.replace(/}$/, `,"publicKey":"${key}"}`),
    ],
    [
      'in a signature',
      (text: string, key: string) => text.replace('"sig"', `"cert":"${key}","sig"`),
    ],
  ])('by an unlisted key that comes along %s is refused', async (_, place) => {
    const mallory = newKey()
    const handoff = handoffOf()
    const sealed = prepared.seal(handoff, { signers: [signerOf(mallory)] })
    const envelope = place(sealed, listedKey(mallory))
    const attacked = await stand.receive({ document: handoff, envelope })
    await expectRefused(stand, attacked, ['envelope/malformed'])
  })
})

describe('a signature under the key id of the source', () => {
  const ed25519 = generateKeyPairSync('ed25519').privateKey
  const p384 = generateKeyPairSync('ec', { namedCurve: 'P-384' }).privateKey
  const rsa = generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey
  const WRONG = 'envelope/wrong-algorithm'
  const BAD = 'envelope/bad-signature'
  test.each<[string, (message: Uint8Array) => Uint8Array, string]>([
    ['by an Ed25519 key', message => sign(null, message, ed25519), WRONG],
    ['by a P-384 key', message => sign('sha384', message, p384), WRONG],
    ['by an RSA key', message => sign('sha256', message, rsa), WRONG],
    [
      'that is an HMAC with the public key as its secret',
      message => createHmac('sha256', listedKey(product)).update(message).digest(),
      WRONG,
    ],
    ['that says none', () => Buffer.from('none'), WRONG],
    [
      'that is the digest of the message alone',
      message => Buffer.from(message).subarray(0, 32),
      WRONG,
    ],
    ['with SHA-512 in place of SHA-256', message => sign('sha512', message, product), BAD],
    ['with SHA-1 in place of SHA-256', message => sign('sha1', message, product), BAD],
    [
      'as two numbers without DER',
      message => sign('sha256', message, { key: product, dsaEncoding: 'ieee-p1363' }),
      WRONG,
    ],
    ['that is zero twice', () => Buffer.from('3006020100020100', 'hex'), BAD],
    [
      'over the payload alone, without its type',
      message => sign('sha256', message.subarray(message.indexOf(0x7b)), product),
      BAD,
    ],
    [
      'with a byte behind it',
      message => Buffer.concat([sign('sha256', message, product), Buffer.from([0])]),
      WRONG,
    ],
  ])('%s is refused', (_, forge, code) => refused([code], { keyid: keyidOf(product), sign: forge }))
})

test.each<[string, () => KeyObject]>([
  ['an Ed25519 key', () => generateKeyPairSync('ed25519').privateKey],
  ['a P-384 key', () => generateKeyPairSync('ec', { namedCurve: 'P-384' }).privateKey],
  ['an RSA key', () => generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey],
])('%s cannot be listed for an agent: nothing is received until it is gone', async (_, make) => {
  const copy = stand.copy()
  listIn(copy, `agent: ${PRODUCT}`, make(), `from: ${inSeconds(-60)}`)
  const handoff = handoffOf()
  copy.write('in.json', JSON.stringify(handoff))
  copy.write('in.dsse.json', prepared.seal(handoff))
  const { status, stdout, stderr } = await copy.run('receive', 'in.json')
  expect({ status, stdout }).toEqual({ status: 2, stdout: '' })
  expect(stderr).toMatch(/waybill\.yaml.*key/)
  copy.remove()
})

test('a clone without any private key of an agent has done all of this, and its log verifies', async () => {
  for (const agent of [PRODUCT, ANALYSIS, TECHNICAL, DESK])
    expect(() => keyOf(stand.root, agent)).toThrow('no key')
  const handoff = handoffOf()
  const attacked = await stand.receive({ document: handoff, envelope: prepared.seal(handoff) })
  expect(attacked).toMatchObject({ status: 0, ran: true, answer: { answer: 'accepted' } })
  await expectVerified(stand)
})
