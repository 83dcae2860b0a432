import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Ajv2020 } from 'ajv/dist/2020.js'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { checkBody } from '../scripts/generate/sql/check.ts'
import { postgresPattern } from '../scripts/generate/sql/pattern.ts'
import type { Schema } from '../src/contract/index.ts'
import { type Database, openDatabase } from './database.ts'
import { CONTRACTS, MISSION } from './mission-payloads.ts'
import { connectRaw, type Raw } from './raw-sql.ts'

let database: Database
let owner: Raw
beforeAll(async () => {
  database = await openDatabase()
  owner = await connectRaw(database.url)
})
afterAll(async () => {
  await owner?.end()
  await database?.remove()
})

const schemaOf = (id: string): Schema =>
  JSON.parse(readFileSync(join(import.meta.dirname, '../schemas', `${id}.json`), 'utf8'))

const PATTERNS = [...new Set(CONTRACTS.flatMap(({ id }) => patternsIn(schemaOf(id))))]

function patternsIn(node: unknown): string[] {
  if (typeof node !== 'object' || node === null) return []
  const { pattern } = node as { pattern?: unknown }
  return [
    ...(typeof pattern === 'string' ? [pattern] : []),
    ...Object.values(node).flatMap(patternsIn),
  ]
}

describe('patterns', () => {
  test('there are three of them', () => {
    expect(PATTERNS).toHaveLength(3)
  })

  const seeds = [
    ...[
      '2026-04-14T12:00:00Z',
      '2024-02-29T23:59:59.5-00:30',
      '1900-02-29T00:00:00Z',
      '2000-02-29T00:00:00+23:59',
    ],
    ...[
      MISSION,
      'https://example.com/report',
      'HTTP://user@h',
      'http://[::1]:99999/?#',
      'http://ex.ample.:1',
    ],
  ]
  const letter = fc.oneof(
    fc.constantFrom(
      ...'0123456789abcfTZ:.-+/?#@%[]{}<>"\\^`|_ \n\r\t\u00a0\u2028\ufeff\u200f\u0001\u007fü😀Kſ',
    ),
    fc
      .string({ unit: 'binary', minLength: 1, maxLength: 1 })
      .filter(one => one !== '\u0000' && !/\p{Surrogate}/u.test(one)),
  )
  const near = fc
    .tuple(
      fc.constantFrom(...seeds),
      fc.array(fc.tuple(fc.nat(80), fc.nat(2), letter), { maxLength: 4 }),
    )
    .map(([seed, edits]) => {
      const characters = [...seed]
      for (const [at, gone, put] of edits)
        characters.splice(at % (characters.length + 1), gone, put)
      return characters.join('')
    })

  test.each(PATTERNS)('PostgreSQL and JavaScript match the same texts: %s', async pattern => {
    const form = new RegExp(pattern, 'u')
    const translated = postgresPattern(pattern)
    const texts = [
      ...seeds,
      ...fc.sample(fc.oneof(near, fc.string({ unit: letter })), { numRuns: 5_000 }),
    ]
    const { rows } = await owner.client.query(
      'select text ~ $2 as matches from unnest($1::text[]) with ordinality as t (text, n) order by n',
      [texts, translated],
    )
    expect(rows.map((row, i) => [texts[i], row.matches])).toEqual(
      texts.map(text => [text, form.test(text)]),
    )
    expect(new Set(rows.map(row => row.matches))).toEqual(new Set([true, false]))
  })

  test.each([
    ['every character of ASCII, alone and in sets', () => asciiPatterns()],
    [
      'sets, ranges, groups and repeats',
      () => [
        '^[^a-c_-]+(?![\\s\\S])',
        '^(?:ab|c)*d{2,}(?![\\s\\S])',
        'x{0,2}y?',
        '^(?!ab)[a-z]+',
        '[\\]\\\\^-]',
      ],
    ],
  ])('%s', async (_, patterns) => {
    const texts = Array.from({ length: 127 }, (_, i) => String.fromCharCode(i + 1))
    texts.push('', 'abcd', 'abdd', 'cdd', 'dd', 'xxy', 'a\n', 'ab', 'ba', '\\', ']', '^', '-')
    for (const pattern of patterns()) {
      const form = new RegExp(pattern, 'u')
      const { rows } = await owner.client.query(
        'select text ~ $2 as matches from unnest($1::text[]) with ordinality as t (text, n) order by n',
        [texts, postgresPattern(pattern)],
      )
      expect(
        rows.map(row => row.matches),
        pattern,
      ).toEqual(texts.map(text => form.test(text)))
    }
  })

  test.each([
    ['\\d', 'is not known'],
    ['a.b', 'unescaped'],
    ['a$', 'unescaped'],
    ['a+?', 'lazy'],
    ['(a)', 'neither'],
    ['(?<=a)b', 'neither'],
    ['a^b', 'at the start'],
    ['(?:a', 'unclosed'],
    ['a)', 'unmatched'],
    ['a{256}', 'more than 255'],
    ['(?!a)*', 'cannot be repeated'],
    ['\\ud83d', 'surrogate'],
    ['é', 'ASCII'],
    ['[]', 'empty set'],
    ['[a', 'unexpected end'],
    ['*a', 'unescaped'],
  ])('%s has no translation', (pattern, why) => {
    expect(() => postgresPattern(pattern)).toThrow(why)
  })
})

function asciiPatterns(): string[] {
  return Array.from({ length: 95 }, (_, i) => String.fromCharCode(i + 32)).flatMap(character => {
    const escaped = /[A-Za-z0-9]/.test(character)
      ? character
      : `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`
    return [`^${escaped}(?![\\s\\S])`, `^[${escaped}](?![\\s\\S])`, `^[^${escaped}]`]
  })
}

describe('what a schema may say', () => {
  test.each([
    [
      'lengths count characters',
      { type: 'string', minLength: 2, maxLength: 3 },
      ['😀', '😀😀', 'abc', 'abcd', 1],
    ],
    [
      'a choice of several types',
      { enum: ['a', 1, null, true] },
      ['a', 1, null, true, false, '1', 'null'],
    ],
    [
      'a list of so many',
      { type: 'array', minItems: 1, maxItems: 2, items: { type: 'integer' } },
      [[], [1], [1, 2.0], [1, 2, 3], [1.5]],
    ],
    [
      'one of several types with limits of each',
      { type: ['string', 'array', 'null'], minLength: 1, items: { type: 'null' } },
      ['', 'a', null, [], [null], [1], {}],
    ],
    [
      'no other keys',
      {
        type: 'object',
        properties: { a: {}, b: { type: 'null' } },
        required: ['a'],
        additionalProperties: false,
      },
      [{}, { a: 1 }, { a: null, b: null }, { a: 1, b: 1 }, { a: 1, c: 1 }, []],
    ],
    [
      'other keys of one shape',
      { type: 'object', properties: { a: {} }, additionalProperties: { type: 'boolean' } },
      [{}, { a: 1 }, { b: true }, { b: 1 }, { a: 1, b: false, c: null }],
    ],
    [
      'a shared part',
      {
        type: 'array',
        items: { $ref: '#/$defs/Score' },
        $defs: { Score: { type: 'number', minimum: 0, maximum: 1 } },
      },
      [[0, 1, 0.5], [1.1], [-0.1], ['0'], [null]],
    ],
    [
      'lists of lists',
      {
        type: 'array',
        items: {
          type: 'array',
          items: {
            type: 'object',
            properties: { a: { type: 'array', items: { type: 'string' } } },
          },
        },
      },
      [[[{ a: ['x'] }]], [[{ a: [1] }]], [[[]]], [{}], [[{}]]],
    ],
  ])('%s', async (_, schema, values) => {
    const validate = new Ajv2020({ strict: false }).compile(schema)
    await owner.client.query(
      `create or replace function pg_temp.is_sound(payload jsonb) returns boolean language plpgsql as $check$ ${checkBody(schema as Schema)} $check$`,
    )
    const { rows } = await owner.client.query(
      'select pg_temp.is_sound(text::jsonb) as sound from unnest($1::text[]) with ordinality as t (text, n) order by n',
      [values.map(value => JSON.stringify(value))],
    )
    expect(rows.map(row => row.sound)).toEqual(values.map(value => validate(value)))
    expect(new Set(rows.map(row => row.sound))).toEqual(new Set([true, false]))
  })

  test.each([
    ['a keyword that is not known', { type: 'string', not: {} }, 'not cannot be checked'],
    ['limits without a type', { minLength: 1 }, 'must have a type'],
    ['a choice of objects', { enum: [{}] }, 'must not be lists or objects'],
    [
      'a required key that is not described',
      { type: 'object', required: ['a'] },
      'must be described',
    ],
    [
      'patterns of keys',
      { type: 'object', patternProperties: { '^x': {} } },
      'patterns are not supported',
    ],
    [
      'a part that holds itself',
      { $ref: '#/$defs/A', $defs: { A: { type: 'array', items: { $ref: '#/$defs/A' } } } },
      'is recursive',
    ],
  ])('%s is refused', (_, schema, why) => {
    expect(() => checkBody(schema as Schema)).toThrow(why)
  })
})
