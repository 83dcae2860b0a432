import { describe, expect, test } from 'vitest'
import { contracts, loadContract } from '../contracts/index.ts'
import { TIMESTAMP_PATTERN } from '../document/index.ts'
import {
  defineContract,
  type LoadedContract,
  type Schema,
  type StructureError,
} from './contract.ts'
import { checkStructure, schemaAt } from './structure.ts'

const contract = defineContract({
  id: 'x.v1',
  title: 'X',
  formats: ['json'],
  recognise: { keys: [] },
  header: () => ({}),
})

function find(value: unknown, schema: Schema, ...errors: StructureError[]) {
  const validate = Object.assign(() => false, { errors })
  return checkStructure({ contract, schema, validate, rules: {} } as LoadedContract, value)
}

const unknown = (key: string) => ({
  keyword: 'additionalProperties',
  instancePath: '',
  params: { additionalProperty: key },
})

describe('unknown keys weigh what the published schema says', () => {
  const properties = { summary: {} }
  test.each([
    [false, 'other', 'error', 'remove it; known keys: summary'],
    [false, 'sumary', 'error', "did you mean 'summary'?"],
    [true, 'other', 'info', 'it is kept, but nothing checks it'],
    [undefined, 'sumary', 'warning', "did you mean 'summary'?"],
  ])('with additionalProperties %j, %s is an %s', (additionalProperties, key, severity, hint) => {
    const schema =
      additionalProperties === undefined ? { properties } : { properties, additionalProperties }
    expect(find({ [key]: 1 }, schema, unknown(key))).toEqual([
      expect.objectContaining({ severity, hint, path: [key] }),
    ])
  })

  test('where they are ignored, one that is like no known key is not mentioned', () => {
    expect(find({ other: 1 }, { properties }, unknown('other'))).toEqual([])
  })
})

test('every unknown key is measured against the keys of its own object', () => {
  const part = (key: string) => ({ properties: { [key]: {} }, additionalProperties: false })
  const schema = { properties: { a: part('first'), b: part('second') } }
  const errors = ['/a', '/b', '/a'].map(instancePath => ({ ...unknown('other'), instancePath }))
  const found = find({ a: { other: 1 }, b: { other: 1 } }, schema, ...errors)
  expect(found.map(({ path, hint }) => [path, hint])).toEqual([
    [['a', 'other'], 'remove it; known keys: first'],
    [['b', 'other'], 'remove it; known keys: second'],
    [['a', 'other'], 'remove it; known keys: first'],
  ])
})

test('what follows from a wrong type is left out', () => {
  const errors = ['type', 'pattern', 'enum'].map(keyword => ({
    keyword,
    instancePath: '/a',
    params: { type: 'string', allowedValues: [] },
  }))
  expect(find({ a: 5 }, {}, ...errors).map(f => f.code)).toEqual(['schema/type'])
})

test.each([
  [
    'enum',
    { allowedValues: ['low', 'high'] },
    'hgih',
    "'hgih' is not one of the allowed values",
    "did you mean 'high'? Allowed: low or high",
  ],
  ['type', { type: 'integer' }, 'x', "'a' must be a whole number, and is a string", undefined],
  ['type', { type: ['string', 'null'] }, 5, "'a' must be a string or null, and is 5", undefined],
  [
    'pattern',
    {},
    'F-1',
    "'F-1' does not have the required form",
    "write it like 'F-001' (which finding)",
  ],
  [
    'minLength',
    { limit: 1 },
    '',
    'the text is empty',
    'write it, or leave the key out where it is optional',
  ],
  ['maximum', { limit: 1 }, 2, "'2' is above 1", 'use 1 or less'],
  ['minItems', { limit: 1 }, [], 'the list has 0 entries, fewer than 1', 'add one at least'],
])('%s with %j says of %j: %s', (keyword, params, value, message, hint) => {
  const schema = {
    properties: {
      a: keyword === 'pattern' ? { examples: ['F-001'], description: 'Which finding.' } : {},
    },
  }
  const [finding] = find({ a: value }, schema, { keyword, params, instancePath: '/a' })
  expect([finding?.message, finding?.hint]).toEqual([message, hint])
})

test.each([
  ['boolean', 'yes', {}, 'write true (which)'],
  ['boolean', 'Off', {}, 'write false (which)'],
  ['boolean', 'true', {}, 'write true without quotes (which)'],
  ['boolean', 'maybe', {}, 'here belongs: which'],
  ['integer', '85', { minimum: 0, maximum: 100 }, 'write 85 without quotes (which)'],
  ['integer', '0.57', { minimum: 0, maximum: 100 }, 'write 57 without quotes (which)'],
  ['integer', 0.85, { minimum: 0, maximum: 100 }, 'write 85 (which)'],
  ['integer', '185', { minimum: 0, maximum: 100 }, 'here belongs: which'],
  ['integer', '8.5', {}, 'here belongs: which'],
  ['number', '0.85', { minimum: 0, maximum: 1 }, 'write 0.85 without quotes (which)'],
  ['number', '85', { minimum: 0, maximum: 1 }, 'write 0.85 without quotes (which)'],
  ['number', 'much', {}, 'here belongs: which'],
])('where a %s belongs, for %j within %j the hint is: %s', (type, value, bounds, hint) => {
  const schema = { properties: { a: { ...bounds, description: 'Which.' } } }
  const [finding] = find({ a: value }, schema, {
    keyword: 'type',
    params: { type },
    instancePath: '/a',
  })
  expect(finding?.hint).toBe(hint)
})

test.each([
  ['2026-02-30T10:00:00Z', 'there is no such day'],
  ['2026-13-01T10:00:00+02:00', 'there is no such day'],
  ['2026-02-30T25:00:00Z', 'required form'],
  ['2026-02-30', 'required form'],
  ['2026-02-28 10:00', 'required form'],
])('of the time %s is said: %s', (value, said) => {
  const [finding] = find(
    { a: value },
    {},
    { keyword: 'pattern', params: { pattern: TIMESTAMP_PATTERN }, instancePath: '/a' },
  )
  expect(finding?.message).toContain(said)
})

test('a value that was left out is told as that', () => {
  const params = { allowedValues: ['LOW', 'HIGH'] }
  const [finding] = find({ a: null }, {}, { keyword: 'enum', params, instancePath: '/a' })
  expect(finding?.message).toBe('an empty value is not one of the allowed values')
})

test('the schema of a part is found through lists, maps and shared definitions', () => {
  const schema: Schema = {
    properties: {
      list: { items: { $ref: '#/$defs/thing' } },
      map: { additionalProperties: { description: 'other' } },
    },
    $defs: { thing: { properties: { name: { description: 'its name' } } } },
  }
  expect(schemaAt(schema, ['list', 3, 'name'])?.description).toBe('its name')
  expect(schemaAt(schema, ['map', 'any'])?.description).toBe('other')
  expect(schemaAt(schema, ['none', 'any'])).toBeUndefined()
})

test.each(contracts.filter(c => c.name !== 'handoff-document').map(c => [c.id, c] as const))(
  'a root $schema is allowed in %s',
  async (_, c) => {
    const { schema } = await loadContract(c)
    expect(schema.properties?.$schema?.type).toBe('string')
  },
)
