import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { pairOf, pairOfGoKey, sha256, verifyEd25519 } from '../../test/tree.ts'
import { formatNote, keyOf, openNote, parseNote, signNote } from './note.ts'
import {
  COSIGNATURE,
  ED25519,
  formatVerifierKey,
  noteSigner,
  noteVerifier,
  parseVerifierKey,
  verifierKey,
} from './note-key.ts'

const testdata = (name: string) =>
  readFileSync(join(import.meta.dirname, 'testdata/note', name), 'utf8')
const go: {
  text: string
  privateKey: string
  keys: [string, string]
  badKeys: string[]
  signatures: [string, string]
  badName: string
} = JSON.parse(testdata('go.json'))
const [peterSig, enochSig] = go.signatures

const verifierOf = (text: string) => {
  const key = parseVerifierKey(sha256, text)
  if ('fault' in key) throw new Error(key.fault)
  return noteVerifier(key, verifyEd25519)
}
const [peter, enoch] = [verifierOf(go.keys[0]), verifierOf(go.keys[1])]

function signerOf(text: string) {
  const pair = pairOfGoKey(text)
  return noteSigner(verifierKey(sha256, 'PeterNeumann', ED25519, pair.publicKey), pair.sign)
}

describe('the notes of Go’s own tests', () => {
  test('one is signed to the same bytes', () => {
    expect(signNote(go.text, [signerOf(go.privateKey)])).toBe(`${go.text}\n${peterSig}`)
  })

  test.each([
    ['one known key', [peter], ['PeterNeumann+c74f20a3']],
    ['the other known key', [enoch], ['EnochRoot+af0cfe78']],
    ['both', [peter, enoch], ['PeterNeumann+c74f20a3', 'EnochRoot+af0cfe78']],
  ])('signatures are verified: %s', async (_, verifiers, verified) => {
    const opened = await openNote(`${go.text}\n${peterSig}${enochSig}`, verifiers)
    expect(opened).toMatchObject({ note: { text: go.text }, verified })
  })

  test.each([
    ['no trusted key', `${go.text}\n${peterSig}`, [], 'no trusted key has signed the note'],
    [
      'a key of the same name',
      `${go.text}\n${enochSig}`,
      [peter],
      'no trusted key has signed the note',
    ],
    [
      'a changed text',
      `${go.text.replace('answer', 'Answer')}\n${peterSig}`,
      [peter],
      'the signature of PeterNeumann+c74f20a3 does not verify',
    ],
    [
      'a bad signature next to a good one',
      `${go.text}\n${peterSig}${enochSig.replace('zPCp', 'zPCq')}`,
      [peter, enoch],
      'the signature of EnochRoot+af0cfe78 does not verify',
    ],
    [
      'a second, bad signature of one key',
      `${go.text}\n${peterSig}${peterSig.replace('BS9U', 'BS9V')}`,
      [peter],
      'the signature of PeterNeumann+c74f20a3 does not verify',
    ],
    [
      'two keys under one name',
      `${go.text}\n${enochSig}`,
      [enoch, peter, enoch],
      'two trusted keys are named EnochRoot+af0cfe78',
    ],
    [
      'more signatures than a note may have',
      `${go.text}\n${peterSig.repeat(101)}`,
      [peter],
      'more than 100 signatures',
    ],
  ])('%s is refused', async (_, note, verifiers, fault) => {
    expect(await openNote(note, verifiers)).toEqual({ fault })
  })

  test('a bad signature of an unknown key is passed over', async () => {
    const note = `${go.text}\n${peterSig}${enochSig.replace('zPCp', 'zPCq')}`
    expect(await openNote(note, [peter])).toMatchObject({ verified: ['PeterNeumann+c74f20a3'] })
  })

  test.each([
    ['no signature', go.text],
    ['an empty line and no signature', `${go.text}\n`],
    ['no last newline', `${go.text}\n${peterSig.slice(0, -1)}`],
    ['a control character', `\u0001${go.text}\n${peterSig}`],
    ['a carriage return', `${go.text.replace('\n', '\r\n')}\n${peterSig}`],
    ['half a surrogate pair', `\ud800${go.text}\n${peterSig}`],
    ['a name with a space', `${go.text}\n${go.badName}\n`],
    ['a name with a plus', `${go.text}\n${peterSig.replace('Neu', '+')}`],
    [
      'a name with a space of no width in ASCII',
      `${go.text}\n${peterSig.replace('Neu', '\u2003')}`,
    ],
    ['an unexpected line', `${go.text}\n${peterSig}Unexpected line.\n`],
    ['a hyphen for the dash', `${go.text}\n${peterSig.replace('\u2014', '-')}`],
    ['no bytes behind the id', `${go.text}\n\u2014 PeterNeumann x08gow==\n`],
    ['base64 that is not canonical', `${go.text}\n${peterSig.replace('nAM=', 'nAN=')}`],
    ['a million characters', `${'a'.repeat(1_000_000)}\n\n${peterSig}`],
  ])('a note with %s is refused', (_, note) => {
    expect(parseNote(note)).toHaveProperty('fault')
  })

  test.each([...go.badKeys, ...go.keys.map(key => key.replace('+', '-')), ''])(
    'the key %s is refused',
    key => {
      expect(parseVerifierKey(sha256, key)).toHaveProperty('fault')
    },
  )

  test.each(go.keys)('no part of the key %s, and none with one byte changed, is a key', key => {
    for (let at = 0; at < key.length; at++) {
      const next = String.fromCharCode(key.charCodeAt(at) + 1)
      expect(parseVerifierKey(sha256, key.slice(0, at))).toHaveProperty('fault')
      expect(parseVerifierKey(sha256, key.slice(at + 1))).toHaveProperty('fault')
      const changed = key.slice(0, at) + next + key.slice(at + 1)
      expect(parseVerifierKey(sha256, changed)).toHaveProperty('fault')
    }
    const read = parseVerifierKey(sha256, key)
    expect('fault' in read ? read : formatVerifierKey(read)).toBe(key)
  })
})

test('a text may have empty lines of its own, as in the example of the specification', () => {
  const text = testdata('example.txt')
  const note = parseNote(text)
  if ('fault' in note) throw new Error(note.fault)
  expect(note.text.split('\n\n')).toHaveLength(2)
  expect(note.signatures.map(keyOf)).toEqual(['quasimodo.example/salvatore+367ba04b'])
  expect(formatNote(note.text, note.signatures)).toBe(text)
})

test('a key for cosignatures verifies no plain note', async () => {
  const pair = pairOf(9)
  const key = verifierKey(sha256, 'w', COSIGNATURE, pair.publicKey)
  const note = signNote('text\n', [noteSigner(key, pair.sign)])
  expect(await openNote(note, [noteVerifier(key, verifyEd25519)])).toHaveProperty('fault')
})

test.each([
  ['without a last newline', 'abc'],
  ['with half a surrogate pair', '\ud800\n'],
  ['with a control character', 'a\tb\n'],
])('a text %s is never signed', (_, text) => {
  expect(() => signNote(text, [signerOf(go.privateKey)])).toThrow('that is not a note')
})
