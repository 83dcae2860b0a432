import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { VARIABLES } from '../scripts/generate/docs/environment.ts'
import { fieldTable } from '../scripts/generate/docs/fields.ts'
import { fill, prose, table } from '../scripts/generate/docs/markdown.ts'

describe('generated parts', () => {
  test('replace what stands between their markers, and nothing else', () => {
    const page = 'before\n<!-- rules -->\nold\n<!-- /rules -->\nafter\n'
    const filled = 'before\n<!-- rules -->\n\nnew\n\n<!-- /rules -->\nafter\n'
    expect(fill(page, 'rules', 'new')).toBe(filled)
    expect(fill(filled, 'rules', 'new')).toBe(filled)
    expect(fill('no markers', 'rules', 'new')).toBeUndefined()
  })

  test('a table escapes what would end a cell, and leaves empty columns out', () => {
    expect(table(['A', 'B', 'C'], [['x|y', '', 'one\ntwo']])).toBe(
      '| A | C |\n| --- | --- |\n| x\\|y | one two |',
    )
  })

  test('words outside code are never read as HTML or emphasis', () => {
    expect(prose('a <slug> *b* `c <d> *`')).toBe('a \\<slug> \\*b\\* `c <d> *`')
  })

  test('a field that may be a list or something else is listed as both', () => {
    const items = { type: ['string', 'integer'] }
    const schema = { properties: { after: { type: ['string', 'array', 'null'], items } } }
    expect(fieldTable(schema)).toContain(
      '| `after` | string or null, or list of string or integer |',
    )
  })

  test('fields are listed with those inside them, and a shared shape once', () => {
    const agent = {
      type: 'object',
      description: 'An agent.',
      required: ['id'],
      properties: { id: { type: 'string', minLength: 1, description: 'Its id.' } },
    }
    const schema = {
      required: ['from'],
      properties: {
        $schema: { type: 'string' },
        from: { $ref: '#/$defs/agent' },
        to: { $ref: '#/$defs/agent' },
        notes: {
          type: 'array',
          items: { type: 'object', properties: { kind: { enum: ['a', 'b'] } } },
        },
        scores: { type: 'object', additionalProperties: { type: 'number' } },
      },
      $defs: { agent },
    }
    expect(fieldTable(schema).split('\n').slice(2)).toEqual([
      '| `from` | object | yes | An agent. |',
      '| `from.id` | string, not empty | yes | Its id. |',
      '| `to` | object, like `from` |  | An agent. |',
      '| `notes` | list of objects |  |  |',
      '| `notes[].kind` | `a`, `b` |  |  |',
      '| `scores` | map |  |  |',
    ])
  })
})

/** Where the sources name variables: taken off the environment, asked for, set for others, or passed on. */
const NAMED = [
  /const \{([^}]+)\} = (?:process\.)?env\b/g,
  /variable\?\.\('([A-Z_]+)'\)/g,
  /(\bWAYBILL_[A-Z_]+)/g,
  /const PASSED_ON = \[([^\]]+)\]/g,
]

test('every variable of the environment that the sources name is in the reference, and no other', () => {
  const root = join(import.meta.dirname, '../src')
  const files = globSync('**/*.ts', { cwd: root }).filter(file => !file.endsWith('.test.ts'))
  const texts = files.map(file => readFileSync(join(root, file), 'utf8'))
  const found = texts.flatMap(text =>
    NAMED.flatMap(pattern => [...text.matchAll(pattern)].map(([, words = '']) => words)),
  )
  const namesIn = (words: readonly string[]) =>
    [...new Set(words.flatMap(one => one.match(/\b[A-Z][A-Z_]+\b/g) ?? []))].sort()
  expect(namesIn(VARIABLES.map(([names]) => names))).toEqual(namesIn(found))
})
