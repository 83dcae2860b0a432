import { describe, expect, test } from 'vitest'
import type { Change, Json } from './change.ts'
import { readYaml } from './yaml.ts'
import { editYaml } from './yaml-edit.ts'

const set = (path: Change['path'], value: Json): Change => ({ path, value })
const remove = (path: Change['path']): Change => ({ path, remove: true })

describe('something new', () => {
  test.each<[string, string, Change, string]>([
    [
      'goes to the end of its mapping',
      'a: 1\nb: 2 # note\n',
      set(['c'], 3),
      'a: 1\nb: 2 # note\nc: 3\n',
    ],
    [
      'goes to the end of an inner mapping',
      'a:\n  b: 1\n\n# about d\nd: 2\n',
      set(['a', 'c'], 'x'),
      'a:\n  b: 1\n  c: x\n\n# about d\nd: 2\n',
    ],
    [
      'goes behind comments that belong there',
      'a:\n  b: 1\n  # c: 2\nd: 2\n',
      set(['a', 'x'], 1),
      'a:\n  b: 1\n  # c: 2\n  x: 1\nd: 2\n',
    ],
    [
      'goes to the end of a mapping that begins after a dash',
      '- a: 1\n- b: 2\n',
      set([0, 'c'], 3),
      '- a: 1\n  c: 3\n- b: 2\n',
    ],
    ['brings its parents', 'a: 1\n', set(['b', 'c', 'd'], 'x'), 'a: 1\nb:\n  c:\n    d: x\n'],
    ['brings a list', 'a: 1\n', set(['b', 0, 'd'], 'x'), 'a: 1\nb:\n  - d: x\n'],
    ['goes where nothing was', 'a:\nb: 1\n', set(['a', 'c'], 'x'), 'a:\n  c: x\nb: 1\n'],
    [
      'goes where null was',
      'a: null # note\nb: 1\n',
      set(['a', 'c'], 'x'),
      'a: # note\n  c: x\nb: 1\n',
    ],
    ['goes into an empty object', 'a: {}\nb: 1\n', set(['a', 'c'], 'x'), 'a:\n  c: x\nb: 1\n'],
    [
      'goes into an empty list',
      'a: [] # none yet\nb: 1\n',
      set(['a', 0], 'x'),
      'a: # none yet\n  - x\nb: 1\n',
    ],
    [
      'goes into an empty object with a comment',
      'a: { # why\n  }\n',
      set(['a', 'c'], 'x'),
      'a: {c: x # why\n  }\n',
    ],
    [
      'goes into brackets',
      'a: { b: 1 } # note\n',
      set(['a', 'c'], 'x: y'),
      'a: { b: 1, c: "x: y" } # note\n',
    ],
    [
      'goes behind a last comma',
      'a: [\n  1, # one\n  ]\n',
      set(['a', 1], 2),
      'a: [\n  1, 2 # one\n  ]\n',
    ],
    [
      'goes to the end of a list',
      'a:\n- 1\nb: 2\n',
      set(['a', 1], { c: 1, d: 2 }),
      'a:\n- 1\n- c: 1\n  d: 2\nb: 2\n',
    ],
    [
      'goes behind a block scalar',
      'a:\n  b: |+\n    x\n\nc: 1\n',
      set(['a', 'd'], 2),
      'a:\n  b: |+\n    x\n\n  d: 2\nc: 1\n',
    ],
    ['goes behind a text without a last line end', 'a: 1', set(['b'], 2), 'a: 1\nb: 2'],
    ['keeps the line ends of Windows', 'a: 1\r\n', set(['b'], [2]), 'a: 1\r\nb:\r\n  - 2\r\n'],
    ['has a key that needs quotes', 'a: 1\n', set(['yes'], 2), 'a: 1\n"yes": 2\n'],
    ['may be called __proto__', 'a: 1\n', set(['__proto__', 'b'], 2), 'a: 1\n__proto__:\n  b: 2\n'],
    [
      'goes into a pair in brackets',
      'a: [b: 1, c]\n',
      set(['a', 0, 'd'], 2),
      'a: [b: 1, d: 2, c]\n',
    ],
  ])('%s', (_, text, change, expected) => {
    if (text.includes('[b: 1'))
      expect(readYaml(editYaml(text, [change])).value).toEqual({ a: [{ b: 1, d: 2 }, 'c'] })
    else expect(editYaml(text, [change])).toBe(expected)
  })
})

describe('what is removed', () => {
  test.each<[string, string, Change, string]>([
    [
      'takes its line and its comment with it',
      '# top\na: 1 # note\n# b is\nb: 2\n',
      remove(['a']),
      '# top\n# b is\nb: 2\n',
    ],
    ['takes its lines with it', 'a:\n  - 1\n  - 2 # two\n\nb: 2\n', remove(['a']), '\nb: 2\n'],
    ['may be last', 'a: 1\nb: 2', remove(['b']), 'a: 1'],
    [
      'leaves an empty object',
      'a:\n  # why\n  b: 1\nc: 2\n',
      remove(['a', 'b']),
      'a: {}\n  # why\nc: 2\n',
    ],
    ['leaves an empty list', 'a:\n- 1\nc: 2\n', remove(['a', 0]), 'a: []\nc: 2\n'],
    ['leaves an empty document', '# top\na: 1\n# end\n', remove(['a']), '# top\n{}\n# end\n'],
    ['may follow a dash', '- a: 1 # note\n  b: 2\n', remove([0, 'a']), '- b: 2\n'],
    [
      'may follow a dash, with a comment below',
      '- a: 1\n  # about b\n  b: 2\n',
      remove([0, 'a']),
      '-\n  # about b\n  b: 2\n',
    ],
    ['may be an item', '- 1\n# two\n- 2 # note\n- 3\n', remove([1]), '- 1\n# two\n- 3\n'],
    ['may be an item of several lines', '- a: 1\n  b: 2\n- 3\n', remove([0]), '- 3\n'],
    ['may be an item in an item', '- - 1\n  - 2\n- 3\n', remove([0, 0]), '- - 2\n- 3\n'],
    ['may be a block scalar', 'a: |\n  x\n  # y\nb: 1\n', remove(['a']), 'b: 1\n'],
    ['may be in brackets', '{ a: 1, b: 2 }\n', remove(['a']), '{ b: 2 }\n'],
    ['may be last in brackets', 'x: [1, 2] # note\n', remove(['x', 1]), 'x: [1] # note\n'],
    ['may be alone in brackets', 'x: [1] # note\n', remove(['x', 0]), 'x: [] # note\n'],
    ['may be missing', 'x: [1] # note\n', remove(['y', 'z']), 'x: [1] # note\n'],
    ['may have a key with a mark', '? a\n: 1\n? b\n: 2\n', remove(['b']), '? a\n: 1\n'],
    ['may have a key with an anchor', 'a: 1\n&k b: 2\nc: 3\n', remove(['b']), 'a: 1\nc: 3\n'],
  ])('%s', (_, text, change, expected) => {
    expect(editYaml(text, [change])).toBe(expected)
  })
})

describe('no change is made', () => {
  test.each<[string, string, Change]>([
    ['to a text with faults', 'a: 1\na: 2\n', set(['a'], 3)],
    ['to an empty text', '', set(['a'], 3)],
    ['through a scalar', 'a: 1\n', set(['a', 'b'], 3)],
    ['beyond the end of a list', 'a: [1]\n', set(['a', 2], 3)],
    ['of a block scalar that is the whole document', '|\n  x\n  y\n', set([], 'z')],
    ['that removes everything', 'a: 1\n', remove([])],
    ['that would read differently', 'a: 1\n', set(['a'], '\ud800')],
    ['that would lose a comment', 'x: { a: 1,\n  # about b\n  b: 2 }\n', remove(['x', 'a'])],
  ])('%s', (_, text, change) => {
    expect(() => editYaml(text, [change])).toThrow(/cannot be changed/)
  })
})

test('several changes are made one after another', () => {
  expect(
    editYaml('a: 1\nb: 2\n', [
      set(['c', 0], 'x'),
      set(['c', 1], 'z'),
      remove(['a']),
      set(['b'], 3),
    ]),
  ).toBe('b: 3\nc:\n  - x\n  - z\n')
})
