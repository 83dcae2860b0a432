import { describe, expect, test } from 'vitest'
import { formatPointer } from '../document/index.ts'
import type { Schema } from './contract.ts'
import {
  completed,
  inSchemaOrder,
  missingParts,
  unknownFields,
  withoutUnknownFields,
} from './shape.ts'

const schema: Schema = {
  type: 'object',
  required: ['kind', 'id', 'from', 'items', 'named'],
  properties: {
    kind: { const: 'parcel' },
    id: { type: 'string', description: 'Its id.', examples: ['P-001'] },
    from: { $ref: '#/$defs/agent' },
    items: {
      type: 'array',
      items: {
        type: 'object',
        required: ['size'],
        properties: { size: { enum: ['s', 'l'], description: 'How large.' }, note: {} },
      },
    },
    named: {
      type: 'object',
      additionalProperties: {
        type: 'object',
        required: ['n'],
        properties: { n: { type: 'integer' } },
      },
    },
    free: { type: 'object', patternProperties: { '^.*$': {} } },
    open: { type: 'object', properties: { a: {} }, additionalProperties: true },
  },
  $defs: {
    agent: {
      type: 'object',
      required: ['name'],
      properties: { name: { type: 'string', description: 'Who.' } },
    },
  },
}

const pointers = (value: unknown) => missingParts(schema, value).map(p => formatPointer(p.path))

describe('what is missing', () => {
  test('is listed part by part, also where a whole is missing', () => {
    expect(pointers({})).toEqual(['/kind', '/id', '/from/name', '/items', '/named'])
  })

  test('is listed for entries and for members with names of their own', () => {
    const value = { kind: 'parcel', id: 'x', from: { name: 'a' }, items: [{}], named: { a: {} } }
    expect(pointers(value)).toEqual(['/items/0/size', '/named/a/n'])
  })

  test('is nothing of optional parts, and nothing where a part is of another kind', () => {
    expect(pointers({ kind: 'parcel', id: 1, from: 2, items: 3, named: null })).toEqual([])
  })
})

test('a completed value holds marks that no schema takes for answers', () => {
  expect(completed(schema, { id: 'mine', extra: 1 })).toEqual({
    kind: 'parcel',
    id: 'mine',
    from: { name: 'TODO: Who.' },
    items: [{ size: 'TODO: How large. One of s, l.' }],
    named: { TODO: { n: 'TODO: Write it.' } },
    extra: 1,
  })
  expect(completed(schema, {})).toMatchObject({ id: 'TODO: Its id. Like P-001' })
})

test('keys stand in the order of the schema, those it does not know last', () => {
  const value = { z: 1, items: [{ note: 1, size: 's' }], from: { name: 'a' }, id: 'x' }
  const ordered = inSchemaOrder(schema, value)
  expect(JSON.stringify(ordered)).toBe(
    '{"id":"x","from":{"name":"a"},"items":[{"size":"s","note":1}],"z":1}',
  )
  expect(ordered).toEqual(value)
})

describe('a field that the schema does not know', () => {
  const value = {
    id: 'x',
    z: 1,
    from: { name: 'a', mood: 2 },
    items: [{ size: 's', 'a/b': 3 }],
    named: { any: { n: 1, m: 2 } },
    free: { any: 1 },
    open: { b: 1 },
    ['__proto__']: 1,
  }

  test('is named, but not where anything may stand', () => {
    expect(unknownFields(schema, value)).toEqual([
      ['z'],
      ['from', 'mood'],
      ['items', 0, 'a/b'],
      ['named', 'any', 'm'],
      ['__proto__'],
    ])
  })

  test('can be left out', () => {
    const known = withoutUnknownFields(schema, value)
    expect(unknownFields(schema, known)).toEqual([])
    expect(known).toMatchObject({ free: { any: 1 }, open: { b: 1 }, named: { any: { n: 1 } } })
  })
})
