import { describe, expect, test } from 'vitest'
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
