import { describe, expect, test } from 'vitest'
import { defineContract } from './contract.ts'
import { as, recognise } from './recognise.ts'

const letter = defineContract({
  id: 'letter.v1',
  title: 'Letter',
  formats: ['json'],
  recognise: {
    declares: (v, name) => v.kind === 'letter' || name.endsWith('.letter.json'),
    signature: v => 'stamp' in v && 'address' in v,
    keys: ['stamp', 'address', 'greeting'],
    isNamed: name => name === 'LETTER.json',
    resembles: v => 'Dear' in v,
    wrapper: 'letter',
  },
  header: () => ({}),
})
const parcel = defineContract({
  id: 'parcel.v1',
  title: 'Parcel',
  formats: ['json'],
  recognise: { keys: ['weight', 'address', 'size'] },
  header: () => ({}),
})
const known = [letter, parcel]
const found = (value: unknown, name = '', certainty: 'walk' | 'named' = 'named') =>
  recognise(value, name, known, certainty)?.contract.name

describe('a document is recognised', () => {
  test('by the name it declares', () =>
    expect(found({ kind: 'letter' }, '', 'walk')).toBe('letter'))
  test('by the name of its file', () => expect(found({}, 'a.letter.json', 'walk')).toBe('letter'))
  test('by the name of its file even when it is no object', () =>
    expect(found([], 'a.letter.json', 'walk')).toBe('letter'))
  test('by the schema it names', () =>
    expect(found({ $schema: 'urn:waybill:schema:parcel.v1' }, '', 'walk')).toBe('parcel'))
  test('by its signature', () => expect(found({ stamp: 1, address: 2 }, '', 'walk')).toBe('letter'))
  test('by most of its keys when the user named it', () =>
    expect(found({ weight: 1, size: 2, stamp: 3 })).toBe('parcel'))
  test('by three of its keys when only a sketch of it could be read', () => {
    const keys = { weight: null, address: null }
    expect(recognise(keys, '', known, 'broken')).toBeUndefined()
    expect(recognise({ ...keys, size: null }, '', known, 'broken')?.contract).toBe(parcel)
  })
  test('by three keys in another spelling when the user named it', () => {
    const keys = { Stamp: 1, 'ad-dress': 2 }
    expect(found(keys)).toBeUndefined()
    expect(found({ ...keys, greetIng: 3 })).toBe('letter')
    expect(found({ ...keys, greetIng: 3 }, '', 'walk')).toBeUndefined()
  })
  test('under its sole root key in another spelling when the user named it, and not unwrapped', () => {
    const value = { 'LETTER-': {} }
    expect(recognise(value, '', known, 'named')).toEqual({ contract: letter, value, base: [] })
    expect(found(value, '', 'walk')).toBeUndefined()
  })
  test('under the sole root key of its contract, with or without a $schema next to it', () => {
    expect(found({ $schema: 'x', letter: {} }, '', 'walk')).toBe('letter')
    expect(recognise({ letter: { a: 1 } }, '', known, 'walk')).toEqual({
      contract: letter,
      value: { a: 1 },
      base: ['letter'],
    })
  })
  test('by a file name of several tools with one of its keys, or when the user named it', () => {
    expect(found({ stamp: 1 }, 'LETTER.json', 'walk')).toBe('letter')
    expect(found({ Stamp: 1 }, 'LETTER.json', 'walk')).toBeUndefined()
    expect(found([], 'LETTER.json', 'walk')).toBeUndefined()
    expect(found({}, 'LETTER.json')).toBe('letter')
    expect(found([], 'LETTER.json')).toBe('letter')
  })
  test('by its looks when the user named it', () => {
    expect(found({ Dear: 1 })).toBe('letter')
    expect(found({ Dear: 1 }, '', 'walk')).toBeUndefined()
  })
})

describe('a document is not recognised', () => {
  test('by keys alone while walking', () =>
    expect(found({ weight: 1, size: 2 }, '', 'walk')).toBeUndefined())
  test('by a single key', () => expect(found({ weight: 1 })).toBeUndefined())
  test('by a wrapper that is not alone', () =>
    expect(found({ letter: {}, other: 1 })).toBeUndefined())
  test('by keys that it only inherits', () =>
    expect(found(Object.create({ weight: 1, size: 2 }))).toBeUndefined())
  test.each([null, 5, 'text', undefined])('when it is %j', value =>
    expect(found(value)).toBeUndefined(),
  )
})

test('a document is taken as what the user says, unwrapped where it is wrapped', () => {
  expect(as(letter, { letter: 1, more: 2 })).toEqual({
    contract: letter,
    value: 1,
    base: ['letter'],
  })
  expect(as(parcel, 5)).toEqual({ contract: parcel, value: 5, base: [] })
})
