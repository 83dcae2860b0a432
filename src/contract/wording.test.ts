import { describe, expect, test } from 'vitest'
import { counted, kindOf, listed, nearest, quote, shellWord } from './wording.ts'

describe('a value in a message', () => {
  test.each([
    ['plain', "'plain'"],
    [5, "'5'"],
    [{ a: 1 }, `'{"a":1}'`],
    ['\x1b[31mred', "'\\u{1b}[31mred'"],
    ['right\u202eleft', "'right\\u{202e}left'"],
    ['no\u00a0break and\u3000wide', "'no\\u{a0}break and\\u{3000}wide'"],
    ['x'.repeat(80), `'${'x'.repeat(60)}…'`],
    [
      `docs/${'deep/'.repeat(20)}the-file.md`,
      `'docs/deep/deep/deep/…${'deep/'.repeat(6).slice(1)}the-file.md'`,
    ],
  ])('%j is shown as %s', (value, shown) => expect(quote(value)).toBe(shown))
})

test.each([
  ['handoffs/2026-02-11T14-30-00Z-a.md', 'handoffs/2026-02-11T14-30-00Z-a.md'],
  ['feature/x', 'feature/x'],
  ['a b', "'a b'"],
  ['a;touch$IFS', "'a;touch$IFS'"],
  ["it's $(x)", "'it'\\''s $(x)'"],
  ['-x', "'./-x'"],
  ['a\nb', "'a\\u{a}b'"],
  ['a\u00a0b', "'a\u00a0b'"],
  ['', "''"],
  ['~/x', "'~/x'"],
])('%j is typed as %s', (text, word) => expect(shellWord(text)).toBe(word))

describe('the nearest known word', () => {
  const known = ['key_findings', 'open_questions', 'blockers', 'confidence']
  test.each([
    ['keyFindings', 'key_findings'],
    ['key_findngs', 'key_findings'],
    ['blocker', 'blockers'],
    ['CONFIDENCE', 'confidence'],
    ['confidnece', 'confidence'],
    ['summary', undefined],
    ['x', undefined],
  ])('to %s is %s', (word, meant) => expect(nearest(word, known)).toBe(meant))
})

test.each([
  [[], ''],
  [['a'], 'a'],
  [['a', 'b', 'c'], 'a, b and c'],
])('%j is listed as %s', (words, text) => expect(listed(words)).toBe(text))

test.each([
  [1, '1 task'],
  [2, '2 tasks'],
  [0, '0 tasks'],
])('%i counts as %s', (count, text) => expect(counted(count, 'task')).toBe(text))

test.each([
  [null, 'null'],
  [[], 'a list'],
  [{}, 'an object'],
  ['', 'a string'],
  [0, 'a number'],
  [false, 'a boolean'],
  [undefined, 'nothing'],
])('%j is %s', (value, kind) => expect(kindOf(value)).toBe(kind))
