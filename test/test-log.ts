import {
  createHash,
  createPrivateKey,
  createPublicKey,
  generateKeyPairSync,
  type KeyObject,
  sign,
  verify,
} from 'node:crypto'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { VerifySignature } from '../src/ledger/envelope.ts'
import type { FileLogOptions } from '../src/ledger/file/options.ts'
import { leafOfDigest } from '../src/ledger/leaf.ts'
import type { Draft, EntryFacts } from '../src/ledger/log.ts'
import { ED25519, noteSigner, noteVerifier, verifierKey } from '../src/ledger/note-key.ts'
import { holdLock } from '../src/workspace/index.ts'

/** The log of the tests; its keys stand in the folder, so that other processes sign with them too. */
export const ORIGIN = 'example.org/test-log'

export const sha256 = (bytes: Uint8Array | string): Uint8Array =>
  createHash('sha256').update(bytes).digest()

/** What a log below a folder is opened with; `ledger` is its own folder. */
export function testLog(root: string, more: Partial<FileLogOptions> = {}) {
  const [log, gateway] = keysIn(root)
  const key = verifierKey(sha256, ORIGIN, ED25519, rawKey(log))
  const publicKey = createPublicKey(log)
  const options: FileLogOptions = {
    origin: ORIGIN,
    checkpointSigner: noteSigner(key, message => sign(null, message, log)),
    checkpointVerifier: noteVerifier(key, (_, message, signature) =>
      verify(null, message, publicKey, signature),
    ),
    promiseSigner: { keyid: 'gateway', sign: message => sign('sha256', message, gateway) },
    lock: { hold: () => holdLock(root, 'ledger') },
    guards: [join(root, 'guards/one'), join(root, 'guards/two')],
    now: Date.now,
    keysOf,
    ...more,
  }
  const byGateway: VerifySignature = (keyid, message, signature) =>
    keyid === 'gateway' && verify('sha256', message, createPublicKey(gateway), signature)
  return { folder: join(root, 'ledger'), options, byGateway }
}

function keysIn(root: string): readonly [KeyObject, KeyObject] {
  const file = join(root, 'keys.json')
  if (!existsSync(file)) {
    const pair = [
      generateKeyPairSync('ed25519'),
      generateKeyPairSync('ec', { namedCurve: 'P-256' }),
    ]
    const pems = pair.map(({ privateKey }) => privateKey.export({ type: 'pkcs8', format: 'pem' }))
    writeFileSync(file, JSON.stringify(pems))
  }
  const [log, gateway] = JSON.parse(readFileSync(file, 'utf8'))
  return [createPrivateKey(log), createPrivateKey(gateway)]
}

/** The 32 bytes at the end of the key's standard form. */
const rawKey = (key: KeyObject) =>
  createPublicKey(key).export({ type: 'spki', format: 'der' }).subarray(-32)

/** An entry of the tests: found by its id, which is unique, and by its kind. */
export function draftOf(id: string, kind = 'even', size = 20): Draft {
  const content = JSON.stringify({ id, kind, text: 'x'.repeat(size) })
  const facts = keysOf(content)
  // What is signed does not matter here, nor by whom.
  const leaf = leafOfDigest(Buffer.from(facts.digest, 'hex'), Buffer.from('key'), Buffer.from(id))
  return { leaf, content, ...facts }
}

/** What a tombstone of the tests says in the place of an entry. */
export const tombstoneOf = (id: string, kind = 'even') => JSON.stringify({ id, kind, erased: true })

/** The facts of a content or a tombstone. */
export function keysOf(content: string): EntryFacts {
  const { id, kind } = JSON.parse(content)
  const digest = Buffer.from(sha256(id)).toString('hex')
  return { digest, keys: { unique: [`id:${id}`], also: [`kind:${kind}`, `digest:${digest}`] } }
}
