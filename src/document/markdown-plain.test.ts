import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { handoffDocument } from '../../bench/workloads/handoff-document.ts'
import { type Blocks, leafSource, readBlocks } from './markdown-blocks.ts'
import { readPlainBlocks } from './markdown-plain.ts'
import { cutMarkdown } from './markdown-source.ts'

/** Everything that can be asked of the blocks of a text. */
function shown({ leaves, headings, references, tooDeep }: Blocks) {
  return {
    leaves: leaves.map(leaf => {
      const { kind, content, info, line, start, end } = leaf
      const places = Array.from({ length: content.length + 1 }, (_, at) => leafSource(leaf, at))
      return { kind, content, info, line, start, end, places }
    }),
    headings,
    references,
    tooDeep,
  }
}

/** Compares with the parser where the text is plain, and says whether it is. */
function isPlain(text: string): boolean {
  const plain = readPlainBlocks(text)
  if (plain) expect(shown(plain)).toEqual(shown(readBlocks(text)))
  return plain !== undefined
}

const indent = fc.constantFrom('', '', '', '', ' ', '  ', '  ', '   ', '    ', '     ', '       ')
const marker = fc.constantFrom(
  ...['', '', '- ', '* ', '+ ', '-  ', '-    ', '1. ', '1) ', '2. ', '10. ', '01. ', '-     '],
)
const text = fc.constantFrom(
  ...['a', 'b `c`', '**d** e', '[ ] f', '[g](h)', '`i` j', '_k_', '2026 l', '1.m', '--n', 'o  '],
  ...['', '', '', '', 'p\t', '| q |', '|---|', '\u00e9', 'x <!-- s -->', '\\# t', '-', '1.', '\f'],
)
const block = fc.constantFrom(
  ...[
    '# a',
    '## b',
    '## c ',
    '###  d',
    '#\te',
    '## f ##',
    '#',
    '#g',
    '---',
    '***',
    '- - -',
    '_ _ _',
  ],
  ...['```', '```', '```json', '~~~ x y', '````', '``` `', '  ```', '<!-- h -->', '<!--', '-->'],
  ...['<!-->', 'i -->', '<div>', '> j', '[k]: l', '[m', 'n]: o', '\tp', '    q', '--', '==='],
  ...['1234567890. r', '123456789. s', '+++', '=', '+', '* * *', '    \t', '- - t'],
)
const concat = (parts: readonly string[]) => parts.join('')
const listLine = fc.tuple(indent, marker, text).map(concat)
const anyLine = fc.oneof(
  { weight: 5, arbitrary: listLine },
  { weight: 1, arbitrary: fc.tuple(indent, marker, block).map(concat) },
  { weight: 2, arbitrary: block },
  { weight: 3, arbitrary: fc.constantFrom('', '', ' ', '   ') },
)
const lines = (line: fc.Arbitrary<string>, maxLength: number) =>
  fc
    .tuple(fc.array(line, { maxLength }), fc.constantFrom('', '\n'))
    .map(([all, end]) => all.join('\n') + end)
const marks = fc
  .array(
    fc.constantFrom(
      ...'\n\n\n\n    -*+_#`~<>=[]:1.)ab\t!|\\',
      ...['\n\n', '<!--', '-->', '```', '\n- ', '\n  ', '\n   ', '\n    ', '\n1. '],
    ),
    { maxLength: 16 },
  )
  .map(concat)

test.each([
  ['lists and paragraphs', lines(listLine, 8), 0.15],
  ['any mixture of lines', lines(anyLine, 10), 0.05],
  ['any mixture of marks', marks, 0.05],
] as const)('%s are read as the parser reads them, or not at all', (_, arbitrary, least) => {
  const numRuns = 10_000
  let plain = 0
  fc.assert(
    fc.property(arbitrary, text => {
      if (isPlain(text)) plain += 1
    }),
    { numRuns },
  )
  // If too little were plain, there would have been nothing to compare.
  expect(plain / numRuns).toBeGreaterThan(least)
})

test('documents of this repository are read as the parser reads them, most of them without it', () => {
  const root = join(import.meta.dirname, '../..')
  const files = ['docs', 'src'].flatMap(folder =>
    readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
      .filter(name => name.endsWith('.md'))
      .map(name => readFileSync(join(root, folder, name), 'utf8')),
  )
  const plain = files.filter(file => isPlain(cutMarkdown(file).normal))
  expect(plain.length / files.length).toBeGreaterThan(0.8)
})

test('the documents by which speed is measured need no parser', () => {
  for (const number of [0, 1, 99]) {
    expect(isPlain(cutMarkdown(handoffDocument(number).text).normal)).toBe(true)
  }
})

describe('plain Markdown', () => {
  test.each([
    ['nothing', ''],
    ['headings', '# a\n\n### b\n## c'],
    ['paragraphs over several lines', 'a\nb\n    c\n\nd\n'],
    ['tables', '| a | b |\n|---|---|\n| c | d |\n'],
    ['lists in lists with text between them', '- a\n  b\n\n  c\n  1. d\n     e\n- f\ng\n\nh\n'],
    ['task lists', '- [ ] a\n- [x] `b`\n'],
    ['a fence', 'a\n```json\n{\n\n## b\n ```\nc'],
    ['a fence with what does not close it', '```\n    ```\n``` a\n``\n~~~\n````\n'],
    ['comments', '<!-- a\n\n## b -->\n<!-- c -->\nd <!-- e -->'],
    ['rules', '- a\n\n---\n\n***\n'],
  ])('is %s', (_, text) => {
    expect(isPlain(text)).toBe(true)
  })
})

describe('the parser has to read', () => {
  test.each([
    ['a quote', '> a'],
    ['an underlined heading', 'a\n---'],
    ['other HTML', '<div>\n'],
    ['a comment that is not closed', '<!-- a'],
    ['a fence that is not closed', '```\na'],
    ['a fence in a list', '- a\n\n  ```\n  ```\n'],
    ['a heading in a list', '- # a'],
    ['a tab before text', '-\ta'],
    ['code by indentation', 'a\n\n    b'],
    ['a link definition', '[a\nb]: c'],
    ['a link definition in a list', '- [a]: c'],
    ['an empty item', '- a\n-\n- b'],
    [
      'nine lists in each other',
      Array.from({ length: 9 }, (_, i) => `${'  '.repeat(i)}- a`).join('\n'),
    ],
  ])('%s', (_, text) => {
    expect(isPlain(text)).toBe(false)
  })
})
