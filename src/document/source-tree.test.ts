import fc from 'fast-check'
import { expect, test } from 'vitest'
import { readJson } from './json.ts'
import { readPlainly } from './yaml-plainly.ts'

const KEYS = ['a', 'b', 'c', '10', '2', 'z']
const TEXTS = {
  JSON: `{${KEYS.map(key => `"${key}": {"x": 1, "y": "${key}"}`).join(', ')}}`,
  YAML: KEYS.map(key => `${key}:\n  x: 1\n  y: ${key}\n`).join(''),
}
const READERS = { JSON: readJson, YAML: readPlainly }

const paths = fc.array(
  fc.tuple(fc.constantFrom(...KEYS, 'none'), fc.constantFrom('x', 'y', 'none')),
  { minLength: 1, maxLength: 20 },
)

test.each(['JSON', 'YAML'] as const)(
  'where a part of a %s text stands does not depend on what was asked for before',
  format => {
    const text = TEXTS[format]
    const fresh = () => READERS[format](text)
    fc.assert(
      fc.property(paths, asked => {
        const reading = fresh()
        for (const path of asked) {
          expect(reading?.locate(path)).toEqual(fresh()?.locate(path))
          expect(reading?.locate(path, 'key')).toEqual(fresh()?.locate(path, 'key'))
        }
      }),
    )
    for (const key of KEYS) {
      const { start, end } = fresh()?.locate([key], 'key') ?? { start: 0, end: 0 }
      expect(text.slice(start, end).replaceAll('"', '')).toBe(key)
    }
  },
)
