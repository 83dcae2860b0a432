import { spawnSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { leafHash } from '../../src/ledger/hash.ts'
import {
  batchReceipts,
  type Envelope,
  fromBase64,
  paeOf,
  signedBytes,
  toHex,
} from '../../src/ledger/index.ts'
import { openTestFolder, type TestFolder } from '../test-folder.ts'
import { agentKey, ORIGIN, sha256, signedStatement } from './logged.ts'

const hasOpenssl = spawnSync('openssl', ['version']).status === 0
const skipped = hasOpenssl ? '' : ' (skipped: openssl is not installed)'

const agent = agentKey()
const envelope = signedStatement(agent, 1)
const [receipt] = batchReceipts(
  sha256,
  {
    origin: ORIGIN,
    first: 0,
    time: 1_795_000_000_000,
    entries: [
      { leaf: leafHash(sha256, Uint8Array.of(1)), digest: toHex(sha256(Uint8Array.of(2))) },
    ],
  },
  agent,
)
if (!receipt) throw new Error('one entry gives one receipt')

let folder: TestFolder
beforeAll(() => {
  folder = openTestFolder()
  const pem = agent.publicKey.export({ type: 'spki', format: 'pem' })
  writeFileSync(join(folder.root, 'key.pem'), pem)
})
afterAll(() => folder.remove())

/** Asks openssl whether a signature over a message is the agent's; its words and its verdict. */
function ask(command: readonly string[], message: Uint8Array, signature: Uint8Array) {
  const [messageFile, signatureFile] = ['message', 'signature'].map(name => join(folder.root, name))
  writeFileSync(String(messageFile), message)
  writeFileSync(String(signatureFile), signature)
  const { status, stdout, stderr } = spawnSync('openssl', command, {
    cwd: folder.root,
    encoding: 'utf8',
  })
  return { status, words: `${stdout}${stderr}` }
}

const COMMANDS: [string, string[]][] = [
  ['dgst', ['dgst', '-sha256', '-verify', 'key.pem', '-signature', 'signature', 'message']],
  [
    'pkeyutl',
    // A 3.x openssl hashes the message itself, as a verifier does who knows only the protocol.
    [
      'pkeyutl',
      '-verify',
      '-pubin',
      '-inkey',
      'key.pem',
      '-rawin',
      '-digest',
      'sha256',
      '-in',
      'message',
      '-sigfile',
      'signature',
    ],
  ],
]
const SIGNED: [string, Envelope][] = [
  ['a signed statement', envelope],
  ['the promise of a receipt', receipt.promise],
]
const CASES = COMMANDS.flatMap(([name, command]) =>
  SIGNED.map(([what, signed]) => ({ name, command, what, signed })),
)

const signatureOf = ({ signatures }: Envelope) =>
  fromBase64(signatures[0]?.sig ?? '') ?? new Uint8Array()

test.skipIf(!hasOpenssl).each(CASES)(
  `openssl $name verifies $what${skipped}`,
  ({ command, signed }) => {
    const { status, words } = ask(command, signedBytes(signed), signatureOf(signed))
    expect(words).toMatch(/Verified OK|Signature Verified Successfully/)
    expect(status).toBe(0)
  },
)

test.skipIf(!hasOpenssl).each(CASES)(
  `openssl $name refuses $what with a changed byte, under another type or without its type${skipped}`,
  ({ command, signed }) => {
    const message = signedBytes(signed)
    const payload = fromBase64(signed.payload) ?? new Uint8Array()
    const changed = message.slice()
    changed[changed.length - 1] = 0
    const signature = signatureOf(signed).slice()
    signature[signature.length - 1] = (signature[signature.length - 1] ?? 0) ^ 1
    const attempts: [Uint8Array, Uint8Array][] = [
      [changed, signatureOf(signed)],
      [message, signature],
      [paeOf('text/plain', payload), signatureOf(signed)],
      [payload, signatureOf(signed)],
    ]
    for (const [bytes, by] of attempts) {
      const { status, words } = ask(command, bytes, by)
      expect(words).toMatch(/Verification failure|Signature Verification Failure/i)
      expect(status).toBe(1)
    }
  },
)
