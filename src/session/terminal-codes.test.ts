import { stripVTControlCharacters } from 'node:util'
import { expect, test } from 'vitest'
import { withoutTerminalCodes } from './terminal-codes.ts'

test.each([
  ['nothing', '', ''],
  ['words', 'a]b\\c', 'a]b\\c'],
  ['colours', '\u001b[31mred\u001b[0m', 'red'],
  ['a title', 'a\u001b]0;title\u0007b', 'ab'],
  ['a link', '\u001b]8;;https://example.org\u001b\\there\u001b]8;;\u001b\\', 'there'],
  ['a title with another end', 'a\u001b]0;title\u009cb', 'ab'],
  ['colours behind a title', '\u001b]0;title\u0007\u001b[1mb\u001b[0m', 'b'],
])('of %s stays what a person reads', (_, text, plain) => {
  expect(withoutTerminalCodes(text)).toBe(plain)
  expect(stripVTControlCharacters(text)).toBe(plain)
})

test.each(['\u001b]0;', '\u001b]]', '\u001b]\u001b', '\u001b]0;\u0007\u001b]', '\u001b[;'])(
  'a megabyte of %j takes no longer than it has to',
  unit => {
    const text = unit.repeat(2 ** 20 / unit.length)
    const began = performance.now()
    withoutTerminalCodes(text)
    expect(performance.now() - began).toBeLessThan(5000)
  },
)
