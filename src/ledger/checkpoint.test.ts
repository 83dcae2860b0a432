import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { pairOf, pairOfGoKey, sha256, treeOf, verifyEd25519 } from '../../test/tree.ts'
import { formatCheckpoint, openCheckpoint, parseCheckpoint } from './checkpoint.ts'
import {
  cosignatureVerifier,
  cosigner,
  formatCosignature,
  parseCosignature,
} from './cosignature.ts'
import { formatNote, openNote, parseNote, signNote } from './note.ts'
import {
  COSIGNATURE,
  ED25519,
  noteSigner,
  noteVerifier,
  parseVerifierKey,
  verifierKey,
} from './note-key.ts'

const testdata = (name: string) => readFileSync(join(import.meta.dirname, 'testdata', name), 'utf8')
const ROOT = 'CsUYapGGPo4dkMgIAUqom/Xajj7h2fB2MPA3j2jxq2I='

describe('the log of Tessera’s tests', () => {
  const log: {
    privateKey: string
    publicKey: string
    entries: string[]
    checkpoints: Record<string, string>
  } = JSON.parse(testdata('tessera/log.json'))
  const key = parseVerifierKey(sha256, log.publicKey)
  if ('fault' in key) throw new Error(key.fault)
  const { sign } = pairOfGoKey(log.privateKey)
  const entries = log.entries.map(entry => new TextEncoder().encode(entry))

  test.each(Object.entries(log.checkpoints))(
    'the checkpoint at %s comes out to the same bytes',
    async (count, expected) => {
      const size = Number(count)
      const { root } = treeOf(entries.slice(0, size))
      const text = formatCheckpoint({ origin: key.name, size, root })
      expect(signNote(text, [noteSigner(key, sign)])).toBe(expected)
      const opened = await openCheckpoint(expected, key.name, [noteVerifier(key, verifyEd25519)])
      expect(opened).toMatchObject({ checkpoint: { origin: key.name, size }, note: expected })
    },
  )

  test('a checkpoint of one log is none of another', async () => {
    const note = log.checkpoints['8'] ?? ''
    const opened = await openCheckpoint(note, 'example.com/other', [
      noteVerifier(key, verifyEd25519),
    ])
    expect(opened).toEqual({
      fault: 'this is a checkpoint of example.com/log/testdata, not of example.com/other',
    })
  })
})

test('the example of the specification is read and written', () => {
  const note = parseNote(testdata('note/checkpoint.txt'))
  const read = 'fault' in note ? note : parseCheckpoint(note.text)
  if ('fault' in read) throw new Error(read.fault)
  expect(read).toMatchObject({ origin: 'example.com/behind-the-sofa', size: 20852163 })
  expect(formatCheckpoint(read)).toBe(`example.com/behind-the-sofa\n20852163\n${ROOT}\n`)
})

test('extension lines are read, and not written', () => {
  const read = parseCheckpoint(`o\n7\n${ROOT}\none\ntwo\n`)
  if ('fault' in read) throw new Error(read.fault)
  expect(read.extensions).toEqual(['one', 'two'])
  expect(formatCheckpoint(read)).toBe(`o\n7\n${ROOT}\n`)
})

test.each([
  ['no origin', `\n7\n${ROOT}\n`],
  ['a size with a zero in front', `o\n07\n${ROOT}\n`],
  ['a negative size', `o\n-7\n${ROOT}\n`],
  ['a size in other digits', `o\n٧\n${ROOT}\n`],
  ['a size beyond 2^53', `o\n9007199254740992\n${ROOT}\n`],
  ['a size of a thousand digits', `o\n${'9'.repeat(1000)}\n${ROOT}\n`],
  ['a short root', 'o\n7\nCsUYapGGPo4dkMgIAUqom/Xajj7h2fB2MPA3j2jxqw==\n'],
  ['a root that is no base64', `o\n7\n${ROOT.replace('=', '')}\n`],
  ['no root', 'o\n7\n'],
  ['an empty extension line', `o\n7\n${ROOT}\n\n`],
  ['no last newline', `o\n7\n${ROOT}`],
  ['nothing', ''],
])('a checkpoint with %s is refused', (_, text) => {
  expect(parseCheckpoint(text)).toHaveProperty('fault')
})

test.each([
  ['an origin of two lines', { origin: 'o\n9', size: 7, root: new Uint8Array(32) }],
  ['no origin', { origin: '', size: 7, root: new Uint8Array(32) }],
  ['a broken size', { origin: 'o', size: 1.5, root: new Uint8Array(32) }],
  ['a short root', { origin: 'o', size: 7, root: new Uint8Array(31) }],
])('a checkpoint with %s is never written', (_, checkpoint) => {
  expect(() => formatCheckpoint(checkpoint)).toThrow('that does not parse')
})

describe('a cosignature', () => {
  const pair = pairOf(4)
  const key = verifierKey(sha256, 'witness.example/w1', COSIGNATURE, pair.publicKey)
  const verifier = cosignatureVerifier(key, verifyEd25519)
  const text = `example.com/log\n123\n${ROOT}\nextension\n`
  const note = signNote(text, [cosigner(key, pair.sign, 1679315147)])

  test('is over a header, the time and the whole text', async () => {
    const expected = pair.sign(new TextEncoder().encode(`cosignature/v1\ntime 1679315147\n${text}`))
    const parsed = parseNote(note)
    const [found] = 'fault' in parsed ? [] : parsed.signatures
    const read = parseCosignature(found?.bytes ?? new Uint8Array(0))
    expect(read?.time).toBe(1679315147)
    expect(Buffer.from(read?.signature ?? [])).toEqual(Buffer.from(expected))
    expect(await openNote(note, [verifier])).toMatchObject({
      verified: [`witness.example/w1+${key.id}`],
    })
  })

  test('of the specification’s example names its time', () => {
    const parsed = parseNote(testdata('note/checkpoint.txt'))
    const found = 'fault' in parsed ? undefined : parsed.signatures[1]
    expect(found).toMatchObject({ name: 'witness.example.com/w1', id: '8d66cf3f' })
    expect(parseCosignature(found?.bytes ?? new Uint8Array(0))?.time).toBe(1679315147)
  })

  test.each([
    ['the extension', note.replace('extension', 'extensioX')],
    ['the size', note.replace('123', '124')],
    ['the origin', note.replace('example.com/log', 'example.com/lot')],
  ])('does not hold when %s is changed', async (_, changed) => {
    expect(await openNote(changed, [verifier])).toHaveProperty('fault')
  })

  test('does not hold for another time', async () => {
    const parsed = parseNote(note)
    const [found] = 'fault' in parsed ? [] : parsed.signatures
    const read = parseCosignature(found?.bytes ?? new Uint8Array(0))
    const later = formatCosignature({
      time: 1679315148,
      signature: read?.signature ?? new Uint8Array(64),
    })
    const changed = formatNote(text, [{ name: key.name, id: key.id, bytes: later }])
    expect(await openNote(changed, [verifier])).toHaveProperty('fault')
  })

  test('is never put under what is no checkpoint', () => {
    expect(() => signNote('hello\n', [cosigner(key, pair.sign, 1)])).toThrow('not a checkpoint')
  })

  test('of a plain Ed25519 key is none', async () => {
    const plain = verifierKey(sha256, 'witness.example/w1', ED25519, pair.publicKey)
    const signed = signNote(text, [cosigner(plain, pair.sign, 1)])
    expect(await openNote(signed, [cosignatureVerifier(plain, verifyEd25519)])).toHaveProperty(
      'fault',
    )
  })

  test('of another length or a time beyond 2^53 is refused', () => {
    expect(parseCosignature(new Uint8Array(71))).toBeUndefined()
    expect(parseCosignature(new Uint8Array(72).fill(255))).toBeUndefined()
  })
})
