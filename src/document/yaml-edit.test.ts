import { describe, expect, test } from 'vitest'
import type { Change, Json } from './change.ts'
import { editYaml } from './yaml-edit.ts'

const set = (path: Change['path'], value: Json): Change => ({ path, value })

describe('a scalar', () => {
  test.each<[string, string, Change, string]>([
    ['stays plain', 'a: x # note\n', set(['a'], 'y z'), 'a: y z # note\n'],
    ['keeps its single quotes', "a: 'x'\n", set(['a'], "it's"), "a: 'it''s'\n"],
    ['keeps its double quotes', 'a: "x"   # note\n', set(['a'], 'y'), 'a: "y"   # note\n'],
    ['keeps the spaces before it', 'a:    x\nbb:   y\n', set(['a'], 'z'), 'a:    z\nbb:   y\n'],
    [
      'becomes double-quoted where single quotes do not do',
      "a: 'x'\n",
      set(['a'], 'y\tz'),
      'a: "y\\tz"\n',
    ],
    ['loses its quotes when it is no string', 'a: "5"\n', set(['a'], 5), 'a: 5\n'],
    ['becomes null', 'a: x\n', set(['a'], null), 'a: null\n'],
    ['fills an empty place', 'a:\nb: 1\n', set(['a'], 'x'), 'a: x\nb: 1\n'],
    [
      'fills an empty place before a comment',
      'a: # note\nb: 1\n',
      set(['a'], 'x'),
      'a: x # note\nb: 1\n',
    ],
    ['fills an empty item', '-\n- 1\n', set([0], 'x'), '- x\n- 1\n'],
    [
      'fills the place of a key alone in brackets',
      '{a, b: 1}\n',
      set(['a'], 'x'),
      '{a: x, b: 1}\n',
    ],
    ['fills an empty place in brackets', '{a: , b: 1}\n', set(['a'], 'x'), '{a: x , b: 1}\n'],
    [
      'takes the place of a block scalar',
      'a: |- # note\n  x\n  # no comment\nb: 1\n',
      set(['a'], 'z'),
      'a: z # note\nb: 1\n',
    ],
    [
      'of several lines stays a block scalar',
      'a: |\n    x\n    y\nb: 1\n',
      set(['a'], 'p\n\nq\n'),
      'a: |\n    p\n\n    q\nb: 1\n',
    ],
    [
      'of several lines becomes a block scalar',
      'a: x # note\nb: 1\n',
      set(['a'], 'p\nq'),
      'a: |- # note\n  p\n  q\nb: 1\n',
    ],
    [
      'takes the place of several lines',
      'a: "x\n  y" # note\nb: 1\n',
      set(['a'], 'z'),
      'a: "z" # note\nb: 1\n',
    ],
    [
      'stands below its key still',
      'a:\n  # why\n  x\nb: 1\n',
      set(['a'], 'z'),
      'a:\n  # why\n  z\nb: 1\n',
    ],
    ['loses a tag that would change it', 'a: !!str 5\n', set(['a'], 6), 'a: 6\n'],
    ['keeps its anchor', 'a: &x 5\n', set(['a'], 6), 'a: &x 6\n'],
    [
      'takes the place of a mapping',
      'a: # why\n  # which\n  b: 1 # note\nc: 2\n',
      set(['a'], 'x'),
      'a: x # why\n  # which\nc: 2\n',
    ],
    ['takes the place of an item with keys', '- a: 1\n  b: 2\n- c\n', set([0], 'x'), '- x\n- c\n'],
    ['is the whole document', 'x\n', set([], 'z'), 'z\n'],
    [
      'keeps the line ends of Windows',
      'a: x\r\nb: y\r\n',
      set(['a'], 'p\nq\n'),
      'a: |\r\n  p\r\n  q\r\nb: y\r\n',
    ],
    ['keeps a text without a last line end', 'a: x', set(['a'], 'z'), 'a: z'],
    ['that has the value already changes nothing', "a:   'x'  \n", set(['a'], 'x'), "a:   'x'  \n"],
  ])('%s', (_, text, change, expected) => {
    expect(editYaml(text, [change])).toBe(expected)
  })

  test.each([
    '5.3',
    '5',
    '0x1F',
    '0o7',
    '010',
    '1_000',
    '1e3',
    '1E-3',
    '.5',
    '5.',
    '.inf',
    '-.INF',
    '.nan',
    '1:30',
    '12:30:45',
    '+1',
    'yes',
    'No',
    'ON',
    'off',
    'y',
    'N',
    'true',
    'False',
    'null',
    '~',
    '',
    '=',
    '<<',
    '2026-06-01',
    '2026-06-01T12:00:00Z',
    '2026-6-1 12:00',
    ' x',
    'x ',
    '- x',
    '-',
    '?',
    '? x',
    ': x',
    'x: y',
    'x:',
    'x #y',
    '#x',
    '&x',
    '*x',
    '!x',
    '|',
    '>',
    '%x',
    '@x',
    '`x`',
    '"x"',
    "'x'",
    '[x',
    ']',
    '{x',
    '}',
    ', x',
    '---',
    '--- x',
    '...',
    'a\u0085b',
    'a\u2028b',
    'a\ufeffb',
    'a\u0000b',
    'a\u007fb',
  ])('%j is quoted', value => {
    for (const text of ['a: x\n', '- x\n', '{a: x}\n', "a: x\nb: 'q'\n"]) {
      const path = text.startsWith('-') ? [0] : ['a']
      expect(editYaml(text, [set(path, value)])).toMatch(/(?:: |- )['"]/)
    }
  })

  test.each([
    '1.1-Bootstrap',
    'Phase5.3-TestQualityGate',
    '1.0.0',
    'a:b',
    'x#y',
    '-x',
    ':x',
    'a, b',
    'BLOCKED-[x]',
    'é 😀',
    'nothing',
    '4f2a9c1',
    'https://example.org/',
  ])('%j stays plain', value => {
    expect(editYaml('a: x\n', [set(['a'], value)])).toBe(`a: ${value}\n`)
  })

  test('the quotes are those that the document uses', () => {
    expect(editYaml("a: x\nb: 'y'\n", [set(['a'], '5.3')])).toBe("a: '5.3'\nb: 'y'\n")
    expect(editYaml('a: x\nb: "y"\n', [set(['a'], '5.3')])).toBe('a: "5.3"\nb: "y"\n')
  })
})

describe('a list or an object', () => {
  test.each<[string, string, Change, string]>([
    [
      'takes the place of a scalar',
      'a: x # note\nb: 1\n',
      set(['a'], { c: [1, { d: [] }] }),
      'a: # note\n  c:\n    - 1\n    - d: []\nb: 1\n',
    ],
    [
      'is set in like its surroundings',
      'z:\n    y: 1\na: x\n',
      set(['a'], { c: 1 }),
      'z:\n    y: 1\na:\n    c: 1\n',
    ],
    [
      'is not set in where lists are not',
      'z:\n- 1\na: x\n',
      set(['a'], [1, { b: 2, c: 3 }]),
      'z:\n- 1\na:\n- 1\n- b: 2\n  c: 3\n',
    ],
    [
      'is written again, and comments inside go',
      'a: # why\n  # which\n  b: 1 # note\n# next\nc: 2\n',
      set(['a'], { d: 2 }),
      'a: # why\n  # which\n  d: 2\n# next\nc: 2\n',
    ],
    ['keeps its column', 'a:\n      b: 1\nc: 2\n', set(['a'], { d: 2 }), 'a:\n      d: 2\nc: 2\n'],
    ['keeps its column as a list', 'a:\n- 1\n- 2\nc: 2\n', set(['a'], [3]), 'a:\n- 3\nc: 2\n'],
    ['turns from list to object', 'a:\n- 1\nc: 2\n', set(['a'], { b: 1 }), 'a:\n  b: 1\nc: 2\n'],
    ['becomes empty', 'a:\n  b: 1\n  c: 2\nd: 3\n', set(['a'], {}), 'a: {}\nd: 3\n'],
    [
      'in brackets stays so while short',
      'a: [x, y] # note\n',
      set(['a'], ['p', 'q, r']),
      'a: [p, "q, r"] # note\n',
    ],
    [
      'in brackets opens when it is not short',
      'a: [x, y] # note\n',
      set(['a'], [{ b: 1 }]),
      'a: # note\n  - b: 1\n',
    ],
    [
      'inside brackets stays there',
      '{a: [x, y], b: 1}\n',
      set(['a'], [{ b: 1 }]),
      '{a: [{ b: 1 }], b: 1}\n',
    ],
    [
      'after a dash',
      '- a: 1\n  b: 2 # note\n- x\n',
      set([0], { c: { d: 1 } }),
      '- c:\n    d: 1\n- x\n',
    ],
    [
      'after a dash and a comment',
      '- x # note\n- y\n',
      set([0], { c: 1, d: 2 }),
      '- c: 1 # note\n  d: 2\n- y\n',
    ],
    ['below a dash', '-\n    a: 1\n- x\n', set([0], { c: 1 }), '-\n    c: 1\n- x\n'],
    [
      'takes the place of a block scalar',
      'a: |\n  x\n  y\nb: 1\n',
      set(['a'], [1]),
      'a:\n  - 1\nb: 1\n',
    ],
    ['is the whole document', '# top\na: 1\n# end\n', set([], ['x']), '# top\n- x\n# end\n'],
    ['loses a tag', 'a: !!seq\n  - 1\nb: 2\n', set(['a'], { c: 1 }), 'a:\n  c: 1\nb: 2\n'],
  ])('%s', (_, text, change, expected) => {
    expect(editYaml(text, [change])).toBe(expected)
  })
})
