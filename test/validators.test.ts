import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Ajv } from 'ajv'
import { Ajv2020 } from 'ajv/dist/2020.js'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { mutate } from '../scripts/generate/mutations.ts'
import { close } from '../scripts/generate/schema.ts'
import { soundnessCode } from '../scripts/generate/validators.ts'
import type { Vectors } from '../scripts/generate/vectors.ts'
import type { Schema } from '../src/contract/index.ts'
import { contracts } from '../src/contracts/index.ts'
import { edited } from './edited.ts'

type Check = (value: unknown) => boolean

const read = (file: string) =>
  JSON.parse(readFileSync(join(import.meta.dirname, '../schemas', file), 'utf8'))

/** The code that tells at once whether a value is sound. */
const quick = (schema: object): Check =>
  new Function(`${soundnessCode(schema as Schema)}\nreturn isSound`)()

/** The official check of the same schema. */
function official(schema: object): Check {
  const formats = { 'date-time': true, uri: true, uuid: true } as const
  const options = { formats, ownProperties: true, strictTypes: false, strictRequired: false }
  const draft07 = JSON.stringify(schema).includes('draft-07')
  const ajv = draft07 ? new Ajv(options) : new Ajv2020(options)
  const validate = ajv.compile(schema)
  return value => validate(value) === true
}

describe.each(contracts.map(contract => contract.id))('%s', id => {
  const schema = close(read(`${id}.json`)) as object
  const { fixtures, mutations, base } = read(`vectors/${id}.json`) as Vectors
  const values = [
    ...fixtures.map(({ value }) => value),
    ...mutations.map(mutation => mutate(base, mutation)),
    // Letters of two units make a text look longer than it is; then the full check decides.
  ].filter(value => !/[\u{10000}-\u{10ffff}]/u.test(JSON.stringify(value)))
  const [isSound, isValid] = [quick(schema), official(schema)]

  test('the quick check says what the official check says, at every limit', () => {
    expect(values.map(isSound)).toEqual(values.map(isValid))
    expect(new Set(values.map(isSound))).toEqual(new Set([true, false]))
  })

  test('what the quick check accepts is valid, also when values were changed at random', () => {
    const odd = fc.constantFrom(
      ...[undefined, null, true, -1, 0, 0.5, 1, 7, '', 'text', '2026-02-29T00:00:00Z', 'F-001'],
      ...[[], [[]], ['a', 'a'], {}, { a: {} }, { 'a\nb': 1 }, JSON.parse('{"__proto__": {}}')],
    )
    const edits = fc.array(fc.tuple(fc.nat(), odd), { minLength: 1, maxLength: 3 })
    const sound = values.filter(isValid)
    fc.assert(
      fc.property(fc.constantFrom(...sound), edits, (value, edits) => {
        const changed = edits.reduce((value, [at, other]) => edited(value, at, other), value)
        // Where the quick check does not know, the full check decides.
        if (isSound(changed)) expect(isValid(changed)).toBe(true)
      }),
      { numRuns: 300 },
    )
  })
})

const named = (more: object) => ({ type: 'object', properties: { a: {} }, ...more })
const closed = { additionalProperties: false }

test.each([
  ['two letters of two units', { type: 'string', maxLength: 2 }, '😀😀', false],
  ['a letter of two units, where two letters are asked for', lengthOf(2), '😀', false],
  ['two letters, where two are asked for, are looked at again', lengthOf(2), 'ab', false],
  [
    'a key that is required but undefined',
    named({ ...closed, required: ['a'] }),
    { a: undefined },
    false,
  ],
  ['a list that may repeat itself', { type: 'array', uniqueItems: true }, [1, 2], false],
  ['a list too short to repeat itself', { type: 'array', uniqueItems: true }, [1], true],
  ['a list of too many', { type: 'array', maxItems: 1 }, [1, 2], false],
  ['a choice of null', { type: ['string', 'null'], enum: ['a', null] }, null, true],
  [
    'named values next to known keys',
    named({ additionalProperties: { type: 'null' } }),
    { a: 1, b: null },
    true,
  ],
  ['a wrong one of them', named({ additionalProperties: { type: 'null' } }), { a: 1, b: 2 }, false],
])('%s', (_, schema, value, sound) => {
  expect(quick(schema)(value)).toBe(sound)
  if (sound) expect(official(schema)(value)).toBe(true)
})

function lengthOf(minLength: number) {
  return { type: 'string', minLength }
}

test('what other code adds to all objects is no key of a document', () => {
  const isSound = quick(named({ ...closed, required: ['a'] }))
  expect(isSound({ a: 1 })).toBe(true)
  Object.assign(Object.prototype, { a: 1 })
  try {
    expect(isSound({ b: 1 })).toBe(false)
    expect(isSound({})).toBe(false)
  } finally {
    delete (Object.prototype as { a?: unknown }).a
  }
})

test.each([
  ['a keyword that it does not know', { type: 'string', not: {} }],
  ['limits without a type', { minLength: 1 }],
  ['a choice of other types', { type: 'string', enum: [1] }],
  ['a choice of objects', { enum: [{}] }],
  ['a required key that is not described', named({ ...closed, required: ['b'] })],
  ['a key that every object has', { type: 'object', properties: { constructor: {} } }],
  ['a pattern of keys next to known ones', named({ patternProperties: { '^x': {} } })],
])('refuses to be made for %s', (_, schema) => {
  expect(() => soundnessCode(schema as Schema)).toThrow()
})
