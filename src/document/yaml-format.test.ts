import * as fc from 'fast-check'
import { load } from 'js-yaml'
import { expect, test } from 'vitest'
import type { Json } from './change.ts'
import { readDocuments } from './read.ts'
import { formatYaml } from './yaml-format.ts'

test('a value is laid out in blocks, with quotes where another reader would take it for something else', () => {
  const value = {
    Phase: '5.3',
    ok: 'yes',
    list: [{ a: 1, b: [] }, 'x: y'],
    none: null,
    text: 'a\nb',
  }
  expect(formatYaml(value)).toBe(
    'Phase: "5.3"\nok: "yes"\nlist:\n  - a: 1\n    b: []\n  - "x: y"\nnone: null\ntext: |-\n  a\n  b\n',
  )
})

test.each<[string, Json, string]>([
  ['an empty object', {}, '{}\n'],
  ['a text', 'a', 'a\n'],
  ['an empty list', [], '[]\n'],
])('%s is one line', (_, value, text) => {
  expect(formatYaml(value)).toBe(text)
})

test('whatever is written is read again as it was', async () => {
  const part = fc.oneof(fc.string(), fc.integer(), fc.boolean(), fc.constant(null))
  const value = fc.dictionary(
    fc.stringMatching(/^[A-Za-z0-9. :#-]{1,8}$/),
    fc.oneof(part, fc.array(part), fc.dictionary(fc.stringMatching(/^[a-z]{1,4}$/), part)),
    { maxKeys: 5 },
  )
  await fc.assert(
    fc.asyncProperty(value, async written => {
      const text = formatYaml(written as Json)
      const { documents } = await readDocuments(text, 'yaml')
      expect(documents[0]?.faults).toEqual([])
      expect(documents[0]?.value).toEqual(written)
      expect(load(text)).toEqual(written)
    }),
  )
})
