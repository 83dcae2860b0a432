import { expect, test } from 'vitest'
import { readJson } from './json.ts'
import { readYaml } from './yaml.ts'

const NBSP = '\u00a0'

/** A slip, the text at which it is shown, a part of what is said, and the text with the hint followed. */
type Slip = readonly [name: string, text: string, at: string, message: string, mended: string]

const YAML: readonly Slip[] = [
  ['a space too many', 'id: x\n family: y\n', 'family', 'indented further', 'id: x\nfamily: y\n'],
  [
    'a space too many in an entry',
    'l:\n  - id: x\n     family: y\n',
    'family',
    'indented further',
    'l:\n  - id: x\n    family: y\n',
  ],
  [
    'a text with a colon that goes over lines',
    'a: one\n  two\n  three: four\n',
    'three',
    'indented further',
    'a: "one\n  two\n  three: four"\n',
  ],
  ['no colon in the first line', 'id x\nb: y\n', 'id x', 'no colon', 'id: x\nb: y\n'],
  ['no colon above keys', 'workflow\n  id: x\n', 'workflow', 'no colon at', 'workflow:\n  id: x\n'],
  ['no colon above entries', 'l\n  - id: x\n', 'l', 'no colon at', 'l:\n  - id: x\n'],
  [
    'no colon above keys further in',
    'a: 1\nl:\n  wf\n    id: x\n',
    'wf',
    'no colon at',
    'a: 1\nl:\n  wf:\n    id: x\n',
  ],
  [
    'no colon behind other keys',
    'a: 1\nworkflow\n  id: x\n',
    'workflow',
    'no colon at',
    'a: 1\nworkflow:\n  id: x\n',
  ],
  [
    'no colon before a comment, above keys',
    'workflow # all (1)\n  id: x\n',
    'workflow',
    'no colon before its comment',
    'workflow: # all (1)\n  id: x\n',
  ],
  [
    'no colon before a comment, above keys further in',
    'l:\n  - wf # a\n      id: x\n',
    'wf',
    'no colon before its comment',
    'l:\n  - wf: # a\n      id: x\n',
  ],
  ['no colon, and line ends CR', 'id x\rb: y\r', 'id x', 'no colon', 'id: x\rb: y\r'],
  [
    'no colon further in, and line ends CR',
    'a: 1\rid x\r\rb: y\r',
    'id x',
    'no colon',
    'a: 1\rid: x\r\rb: y\r',
  ],
  [
    'no colon, and line ends CRLF',
    'a: 1\r\nid x\r\n\r\nb: y\r\n',
    'id x',
    'no colon',
    'a: 1\r\nid: x\r\n\r\nb: y\r\n',
  ],
  ['no colon', 'a: 1\n\nid x\n\nb: y\n', 'id x', 'no colon', 'a: 1\n\nid: x\n\nb: y\n'],
  ['no colon below a key', 'a:\n  id x\n  b: y\n', 'id x', 'no colon', 'a:\n  id: x\n  b: y\n'],
  [
    'no colon in an entry',
    '- run: x\n- id ps\n  b: y\n',
    'id ps',
    'no colon',
    '- run: x\n- id: ps\n  b: y\n',
  ],
  [
    'an entry that has no key',
    'l:\n  - one\n  - two\n    b: y\n',
    'two',
    'no colon',
    'l:\n  - one\n  - two\n  - b: y\n',
  ],
  [
    'a key too far to the right below quotes that hold a no-break space',
    `a: "b:${NBSP}c"\n   d: x\n`,
    'd',
    'does not fit',
    `a: "b:${NBSP}c"\nd: x\n`,
  ],
  [
    'the same below a plain text',
    `a: b -${NBSP}c\n  d: x\n`,
    'd',
    'indented further',
    `a: b -${NBSP}c\nd: x\n`,
  ],
  ['text behind a bracket', 'a: [b] c\n', 'c', 'bracket or quote', 'a: "[b] c"\n'],
  ['text behind quotes', 'a: "b" c\n', 'c', 'bracket or quote', `a: '"b" c'\n`],
  ['a tab between braces', 'a: {\tb: 1}\n', '\t', 'a tab', 'a: { b: 1}\n'],
  ['a tab in a line between them', 'a: {\n\tb: 1\n }\n', '\t', 'a tab', 'a: {\n b: 1\n }\n'],
  ['a quote that is not closed', 'a: "b\nc: d\n', '"', 'quote is not closed', 'a: "b"\nc: d\n'],
  [
    'a single one in an entry',
    "l:\n  - a: 'b\n    c: d\n",
    "'",
    'quote is not closed',
    "l:\n  - a: 'b'\n    c: d\n",
  ],
  [
    'one some lines above',
    'a: "b\n  c\n\n  # d\ne: "f"\n',
    '"',
    'quote is not closed',
    'a: "b\n  c\n\n  # d"\ne: "f"\n',
  ],
  [
    'one too many lines above',
    `a: "b\n${'  c\n'.repeat(30)}d: e\n`,
    'd',
    'still open',
    `a: "b\n${'  c\n'.repeat(30)}  "\nd: e\n`,
  ],
  [
    'one behind an escaped quote',
    'a: "b \\"\nc: d\n',
    '"',
    'quote is not closed',
    'a: "b \\""\nc: d\n',
  ],
  [
    'a brace in an entry',
    '- a: { b: {}, c: 1\n- d\n',
    '{',
    'bracket is not closed',
    '- a: { b: {}, c: 1 }\n- d\n',
  ],
  [
    'a line of a list that is indented too little',
    'a:\n  b: [1,\n 2]\n',
    '[',
    'bracket is not closed before a line',
    'a:\n  b: [1,\n   2]\n',
  ],
  ['no-break spaces', `a:\n${NBSP}${NBSP}b: 1\n`, NBSP + NBSP, 'U+00A0', 'a:\n  b: 1\n'],
  ['one before a dash', `a:\n${NBSP}- b\n`, NBSP, 'U+00A0', 'a:\n - b\n'],
  ['one behind a colon', `a:${NBSP}b\nc: 1\n`, NBSP, 'U+00A0', 'a: b\nc: 1\n'],
]

const JSONS: readonly Slip[] = [
  ['a no-break space', `{\n${NBSP} "a": 1}`, NBSP, 'invisible', '{\n  "a": 1}'],
  ['one before a value', `{"a":${NBSP}1}`, NBSP, 'invisible', '{"a": 1}'],
  ['a zero-width space', '{\u200b"a": 1}', '\u200b', 'invisible', '{"a": 1}'],
  ['typographic quotes', '{“a b”: 1}', '“a', 'typographic', '{"a b": 1}'],
  ['a typographic quote at the end', '{"a”: 1}', '”', 'typographic', '{"a": 1}'],
  ['one before a key that follows', '{"a": "b”, "c": 1}', '”', 'typographic', '{"a": "b", "c": 1}'],
  ['one before a number in quotes', '["b”, "3"]', '”', 'typographic', '["b", "3"]'],
  ['one behind a key', '{"a”: "b", "c": 1}', '”', 'typographic', '{"a": "b", "c": 1}'],
  ['a soft hyphen', '{\u00ad"a": 1}', '\u00ad', 'invisible', '{"a": 1}'],
  ['an invisible separator', '{"a": \u20631}', '\u2063', 'invisible', '{"a": 1}'],
  ['zeros before a point', '{"a": 00.6}', '00.6', 'zero', '{"a": 0.6}'],
  ['zeros before a digit', '[007, -01]', '007', 'zero', '[7, -1]'],
  ['a point without a digit', '{"a": .85}', '.85', 'begin with a digit', '{"a": 0.85}'],
  ['a plus sign', '[+1]', '+1', 'begin with a digit', '[1]'],
  ['another bracket at once', '[}\n', '}', 'does not match', '[]\n'],
  ['another bracket in an object', '{]\n', ']', 'does not match', '{}\n'],
  [
    'another bracket, and more',
    '{"a": [1, 2}, "b": 1}',
    '}',
    'does not match',
    '{"a": [1, 2], "b": 1}',
  ],
]

test.each(YAML)('YAML: %s', (_, text, at, message, mended) => {
  shows(readYaml(text).faults, { text, at, message })
  expect(readYaml(mended).faults).toEqual([])
})

test.each(JSONS)('JSON: %s', (_, text, at, message, mended) => {
  shows(readJson(text).faults, { text, at, message })
  expect(readJson(mended).faults).toEqual([])
})

test.each(['{"a": "he said “hi”, then left}', '{"a": "he left”, then came}'])(
  'typographic quotes within a text are not blamed: %s',
  text => {
    expect(readJson(text).faults.map(({ message }) => message)).toEqual([
      'this string is not closed on the same line',
    ])
  },
)

test('a bracket of the wrong kind says how to close what is open', () => {
  expect(readJson('[}').faults.map(({ hint }) => hint)).toEqual([
    'close the array with ] instead, or before it',
  ])
})

test('a blank first line is no place to look any further', () => {
  expect(readYaml('\nid x\nb: y\n').faults).toHaveLength(1)
  expect(readYaml('\n  a: b: c\n').faults).toHaveLength(1)
})

function shows(
  [fault]: ReturnType<typeof readJson>['faults'],
  wanted: { readonly text: string; readonly at: string; readonly message: string },
): void {
  const { start = 0, end = 0 } = fault?.span ?? {}
  expect(wanted.text.slice(start, end)).toBe(wanted.at)
  expect(fault?.message).toContain(wanted.message)
}

test('a text that goes on to a comment is no key without a colon', () => {
  const [fault] = readYaml('a: text\n  goes on # c\n    id: x\n').faults
  expect(fault?.message).toMatch(/^(?!.*comment)/)
})
