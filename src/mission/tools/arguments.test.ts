import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { sha256 } from '../../workspace/index.ts'
import { faultInValue, readArguments } from './arguments.ts'

describe('arguments', () => {
  test('are a copy, with a digest that does not depend on the order of keys', () => {
    const given = { b: [1, { c: null }], a: 'x' }
    const read = readArguments(given)
    expect(read).toEqual({ value: given, digest: sha256('{"a":"x","b":[1,{"c":null}]}') })
    expect('value' in read && read.value).not.toBe(given)
  })

  test('may be left out', () => {
    expect(readArguments(undefined)).toMatchObject({ value: {} })
  })

  test.each([
    ['a list', [], 'the arguments are not an object'],
    ['a number', 7, 'the arguments are not an object'],
    ['a date', { at: new Date(0) }, '/at is not a plain object'],
    ['half a character', { a: '\ud800' }, 'an unpaired surrogate'],
    ['a number that is none', { a: Number.NaN }, '/a'],
    ['a prototype', { a: { prototype: {} } }, 'may not have the key prototype'],
  ])('are refused where they are or hold %s', (_, given, fault) => {
    expect(readArguments(given)).toMatchObject({ fault: expect.stringContaining(fault) })
  })

  test('that are refused may have no digest', () => {
    expect(readArguments({ a: undefined })).toMatchObject({ digest: null })
  })
})

describe('a schema', () => {
  const schema = {
    type: 'object',
    properties: {
      name: { type: ['string', 'null'] },
      count: { type: 'integer' },
      tags: { type: 'array', items: { enum: ['a', 'b'] } },
      kind: { const: 'k' },
      inner: { type: 'object', required: ['x'] },
      open: { enum: [{ a: 1 }] },
      odd: { type: ['__proto__', 'toString'] },
    },
    additionalProperties: false,
  }
  test.each([
    ['a value of each type', { name: null, count: 2, tags: ['a'], kind: 'k', inner: { x: 1 } }],
    ['what only its server can compare', { open: { a: 2 } }],
    ['what has a type that is none', { odd: 1 }],
  ])('has nothing against %s', (_, value) => {
    expect(faultInValue(schema, value)).toBeUndefined()
  })

  test.each([
    ['another type', { name: 7 }, '/name must be of the type string or null'],
    ['a fraction', { count: 1.5 }, '/count must be of the type integer'],
    ['an item that is not in its list', { tags: ['a', 'c'] }, "/tags/1 cannot be 'c'"],
    ['another constant', { kind: 'x' }, "/kind cannot be 'x'"],
    ['what is missing further down', { inner: {} }, '/inner/x is missing'],
    ['an unknown key', { constructor: 1 }, "'/constructor' is unknown"],
    ['a list in the place of an object', [], 'the arguments must be of the type object'],
  ])('tells of %s', (_, value, fault) => {
    expect(faultInValue(schema, value)).toContain(fault)
  })

  test('that is nonsense refuses nothing, and nothing throws', () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.jsonValue(), (odd, value) => {
        const fault = faultInValue(odd, value)
        expect(['string', 'undefined']).toContain(typeof fault)
      }),
    )
    expect(faultInValue({ type: 7, enum: 'x', required: 3, properties: [] }, {})).toBeUndefined()
  })
})
