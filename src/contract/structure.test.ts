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
  return checkStructure({ contract, schema, validate, rules: {} } as LoadedContract, value).findings
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
    [true, 'other', 'info', 'it is kept but not checked'],
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

test('the key that the whole stands under is known at its root alone, and only as what may be meant', () => {
  const wrapped = { ...contract, recognise: { keys: [], wrapper: 'THE_WHOLE' } }
  const schema = {
    properties: { part: { additionalProperties: false } },
    additionalProperties: false,
  }
  const errors = ['', '/part', ''].map((instancePath, i) => ({
    ...unknown(i < 2 ? 'the_whole' : 'other'),
    instancePath,
  }))
  const validate = Object.assign(() => false, { errors })
  const loaded = { contract: wrapped, schema, validate, rules: {} } as LoadedContract
  expect(checkStructure(loaded, { part: {} }).findings.map(({ hint }) => hint)).toEqual([
    "did you mean 'THE_WHOLE'?",
    'remove it; known keys: ',
    'remove it; known keys: part',
  ])
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
  ['type', { type: 'integer' }, 'x', "'a' must be a whole number, not a string", undefined],
  [
    'type',
    { type: ['string', 'null'] },
    5,
    "'a' must be a string or null, not 5",
    'put it in quotes',
  ],
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
    'write a text, or remove the key if it is optional',
  ],
  ['maximum', { limit: 1 }, 2, "'2' is above 1", 'use 1 or less'],
  ['minItems', { limit: 1 }, [], 'the list has 0 entries, fewer than 1', 'add at least one'],
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
  ['boolean', 'maybe', {}, 'expected: which'],
  ['integer', '85', { minimum: 0, maximum: 100 }, 'write 85 without quotes (which)'],
  ['integer', '0.57', { minimum: 0, maximum: 100 }, 'write 57 without quotes (which)'],
  ['integer', 0.85, { minimum: 0, maximum: 100 }, 'write 85 (which)'],
  ['integer', '185', { minimum: 0, maximum: 100 }, 'expected: which'],
  ['integer', '8.5', {}, 'expected: which'],
  ['number', '0.85', { minimum: 0, maximum: 1 }, 'write 0.85 without quotes (which)'],
  ['number', '85', { minimum: 0, maximum: 1 }, 'write 0.85 without quotes (which)'],
  ['number', 'much', {}, 'expected: which'],
  ['integer', '90%', { minimum: 0, maximum: 100 }, 'write 90 (which)'],
  ['number', '60 %', { minimum: 0, maximum: 1 }, 'write 0.6 (which)'],
  ['number', '0.5%', { minimum: 0, maximum: 1 }, 'write 0.005 (which)'],
  ['number', '0.57 %', { minimum: 0, maximum: 1 }, 'write 0.0057 (which)'],
  ['number', '1%', { minimum: 0, maximum: 1 }, 'write 0.01 (which)'],
  ['number', '0.85%', { minimum: 0, maximum: 100 }, 'write 0.85 (which)'],
  ['integer', '0.85%', { minimum: 0, maximum: 100 }, 'expected: which'],
  ['integer', '10,000', { minimum: 0 }, 'expected: which'],
  ['integer', '10.000', { minimum: 0 }, 'expected: which'],
  ['number', '12,345', { minimum: 0 }, 'expected: which'],
  ['number', '0,625', { minimum: 0, maximum: 1 }, 'write 0.625 without quotes (which)'],
  ['number', '0,6', { minimum: 0, maximum: 1 }, 'write 0.6 without quotes (which)'],
  ['string', 20, {}, 'put it in quotes (which)'],
  ['string', true, {}, 'put it in quotes (which)'],
  ['string', null, {}, 'expected: which'],
  ['string', 1, { const: 'v1' }, 'write "v1" (which)'],
  ['string', 2, { enum: ['1', '2'] }, 'put it in quotes (which)'],
  ['string', 3, { enum: ['1', '2'] }, 'expected: which'],
  ['string', 42, { pattern: '^[0-9]+$', examples: ['7'] }, 'put it in quotes (which)'],
  ['string', 1, { pattern: '^1[.]0$', examples: ['1.0'] }, "write it like '1.0' (which)"],
  ['array', 'research', {}, 'put it in brackets, as a list of one (which)'],
  ['array', 'none', {}, 'write [] for an empty list (which)'],
  ['array', 'what?', { items: { type: 'object' } }, 'expected: which'],
  [
    'array',
    { id: 1 },
    { items: { required: ['id'] } },
    'make it a list of one: in brackets, or in YAML with a dash and a space before its first key (which)',
  ],
  ['array', { ps: {} }, { items: { required: ['id'] } }, 'expected: which'],
  ['array', { '-id': 1, name: 2 }, {}, 'write a space after the dash of each entry (which)'],
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
  ['2026-02-30T10:00:00Z', 'is not a calendar date'],
  ['2026-13-01T10:00:00+02:00', 'is not a calendar date'],
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

test.each([
  ['date-time', 'schema/format'],
  ['uuid', 'schema/pattern'],
  [undefined, 'schema/pattern'],
])('a text of the format %s that its pattern refuses has the code %s', (format, code) => {
  const schema = { properties: { a: format === undefined ? {} : { format } } }
  const params = { pattern: TIMESTAMP_PATTERN }
  const [finding] = find({ a: 'x' }, schema, { keyword: 'pattern', params, instancePath: '/a' })
  expect(finding?.code).toBe(code)
})

test.each([
  [
    '2026-03-05T15:10:00',
    "add its zone: '2026-03-05T15:10:00Z' if it is UTC, else an offset such as +01:00",
  ],
  [
    '2026-03-05 15:10',
    "add its zone: '2026-03-05T15:10:00Z' if it is UTC, else an offset such as +01:00",
  ],
  ['2026-03-05', "add the time of day and its zone, as in '2026-03-05T09:30:00Z'"],
  ['2026-03-05 15:10:00Z', "write '2026-03-05T15:10:00Z'"],
  ['2026-03-05t15:10:00 UTC', "write '2026-03-05T15:10:00Z'"],
  ['2026-03-05T15:10:00,123z', "write '2026-03-05T15:10:00.123Z'"],
  ['2026-03-05T15:10:00+0100', "write '2026-03-05T15:10:00+01:00'"],
  ['2026-03-05T15:10-05', "write '2026-03-05T15:10:00-05:00'"],
  ['2026-03-05T25:10:00', "write it like '2026-01-01T00:00:00Z'"],
  ['05.03.2026 15:10', "write it like '2026-01-01T00:00:00Z'"],
])('the time %s is mended by its hint: %s', (value, hint) => {
  const schema = { properties: { a: { examples: ['2026-01-01T00:00:00Z'] } } }
  const params = { pattern: TIMESTAMP_PATTERN }
  const [finding] = find({ a: value }, schema, { keyword: 'pattern', params, instancePath: '/a' })
  expect(finding?.hint).toBe(hint)
})

test.each([
  ['pattern', { pattern: '^5[.]6$' }],
  ['enum', { allowedValues: ['5.5', '5.6'] }],
  ['const', { allowedValue: '5.6' }],
  ['type', { type: 'number' }],
])('for %s, typographic quotes around a value are reported as its fault', (keyword, params) => {
  const [finding] = find({ a: '“5.6”' }, {}, { keyword, params, instancePath: '/a' })
  expect(finding?.hint).toBe('use straight quotes or none: typographic quotes are part of the text')
})

test.each([
  ['number', 85, 'use 1 or less; write 85 percent as 0.85'],
  ['number', 1.5, 'use 1 or less'],
  ['number', 500, 'use 1 or less'],
  ['integer', 20, 'use 1 or less'],
])('of the %s %j above 1 is said: %s', (type, value, hint) => {
  const schema = { properties: { a: { type, minimum: 0, maximum: 1 } } }
  const params = { limit: 1 }
  const [finding] = find({ a: value }, schema, { keyword: 'maximum', params, instancePath: '/a' })
  expect(finding?.hint).toBe(hint)
})

test('a value that was left out is reported as that', () => {
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
