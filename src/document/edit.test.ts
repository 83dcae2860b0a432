import { expect, test } from 'vitest'
import type { Change, Json } from './change.ts'
import { editDocument } from './edit.ts'

const set = (path: Change['path'], value: Json): Change => ({ path, value })
const remove = (path: Change['path']): Change => ({ path, remove: true })

test.each<[string, string, Change, string]>([
  [
    'a value is set where it stands',
    '{ "a": 1,  "b": 2 }\n',
    set(['a'], 'x'),
    '{ "a": "x",  "b": 2 }\n',
  ],
  [
    'a key is added in the indentation of the text',
    '{\n    "a": 1\n}\n',
    set(['b'], { c: [1] }),
    '{\n    "a": 1,\n    "b": {\n        "c": [\n            1\n        ]\n    }\n}\n',
  ],
  [
    'tabs and the line ends of Windows stay',
    '{\r\n\t"a": 1\r\n}\r\n',
    set(['b'], 2),
    '{\r\n\t"a": 1,\r\n\t"b": 2\r\n}\r\n',
  ],
  ['parents are made', '{}', set(['a', 'b'], 1), '{\n  "a": {\n    "b": 1\n  }\n}'],
  [
    'null makes room for what is in it',
    '{"a": null}',
    set(['a', 0, 'b'], 1),
    '{"a": [\n    {\n      "b": 1\n    }\n  ]}',
  ],
  ['a list grows at its end', '{"a": [1]}', set(['a', 1], 2), '{\n  "a": [\n    1,\n    2\n  ]\n}'],
  ['a key is removed', '{\n  "a": 1,\n  "b": 2\n}\n', remove(['a']), '{\n  "b": 2\n}\n'],
  ['an item is removed', '[1, 2, 3]', remove([1]), '[\n  1,\n  3\n]'],
  ['what is not there is not removed', '[1, 2, 3]', remove([7]), '[1, 2, 3]'],
  ['the same value changes nothing', '{"a":1.0}', set(['a'], 1), '{"a":1.0}'],
])('in JSON, %s', (_, text, change, expected) => {
  expect(editDocument(text, 'json', [change])).toBe(expected)
})

test('YAML is edited as YAML', () => {
  expect(editDocument('a: 1 # note\n', 'yaml', [set(['a'], 2)])).toBe('a: 2 # note\n')
})

test.each([
  ['to a text with faults', '{"a": 1, "a": 2}', set(['a'], 3)],
  ['to a broken text', '{"a": 1', set(['a'], 3)],
  ['through a scalar', '{"a": 1}', set(['a', 'b'], 3)],
  ['beyond the end of a list', '[1]', set([2], 3)],
])('no change is made %s', (_, text, change) => {
  expect(() => editDocument(text, 'json', [change])).toThrow(/cannot be changed/)
})
