import { expect, test } from 'vitest'
import { joinSoftBreaks } from './soft-breaks.ts'

test.each<[string, string, string]>([
  ['lines of a paragraph are one', 'one\ntwo\nthree\n\nfour\nfive', 'one two three\n\nfour five'],
  [
    'a paragraph may begin in bold or with a link',
    '**one**\ntwo\n\n[a](b)\nthree',
    '**one** two\n\n[a](b) three',
  ],
  ['hard breaks stay', 'one  \ntwo\\\nthree\nfour', 'one  \ntwo\\\nthree four'],
  [
    'lists stay, with what is written below them',
    '- a\n  b\n- c\nd\n1. e',
    '- a\n  b\n- c\nd\n1. e',
  ],
  ['a list after a paragraph stays', 'one\ntwo\n- a\n- b', 'one two\n- a\n- b'],
  ['code stays', '```\na\nb\n\nc\nd\n```\n\none\ntwo', '```\na\nb\n\nc\nd\n```\n\none two'],
  ['indented code stays', 'one\n\n    a\n    b\n\ntwo', 'one\n\n    a\n    b\n\ntwo'],
  ['tables stay', '| a | b |\n|---|---|\n| 1 | 2 |', '| a | b |\n|---|---|\n| 1 | 2 |'],
  ['a title with a line below it stays', 'one\n---\ntwo', 'one\n---\ntwo'],
  ['quotes and headings stay', '> a\n> b\n\n# c\nd', '> a\n> b\n\n# c\nd'],
])('%s', (_, text, joined) => expect(joinSoftBreaks(text)).toBe(joined))
