import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { hang, pad, textWidth, widthOf, wrap } from './layout.ts'

test.each([
  [20, 40],
  [60, 60],
  [80, 80],
  [93, 93],
  [250, 100],
  [undefined, 80],
])('a terminal of %s columns is set in %s', (columns, width) =>
  expect(textWidth(columns ?? 0)).toBe(width),
)

test.each([
  ['abc', 3],
  ['日本', 4],
  ['e\u0301', 1],
  ['\u{1f600}', 2],
])('%s takes %s columns', (text, width) => expect(widthOf(text)).toBe(width))

test('padding counts columns, not characters', () => {
  expect(pad('日本', 6)).toBe('日本  ')
  expect(pad('longer than that', 4)).toBe('longer than that')
})

describe('wrapping', () => {
  test.each<[string, string, number, string[]]>([
    ['short lines stay as they are', 'a  b\n\n  c', 20, ['a  b', '', '  c']],
    ['words are never broken where they fit', 'one two three', 8, ['one two', 'three']],
    [
      'indentation is kept on the lines that follow',
      '    one two three',
      12,
      ['    one two', '    three'],
    ],
    [
      'what follows a list mark stands below its text',
      '- [ ] one two three',
      14,
      ['- [ ] one two', '      three'],
    ],
    ['numbers are list marks too', '10. one two three', 12, ['10. one two', '    three']],
    [
      'a long path is cut behind a separator',
      'src/contracts/catalogue.ts',
      16,
      ['src/contracts/', 'catalogue.ts'],
    ],
    [
      'a path is cut behind a slash rather than inside a name',
      'domains/domain-02-analysis',
      13,
      ['domains/', 'domain-02-', 'analysis'],
    ],
    [
      'and rather than behind a hyphen',
      'src/worker/retry-queue.md',
      18,
      ['src/worker/', 'retry-queue.md'],
    ],
    [
      'a word without separators is cut at the edge',
      'abcdefghijklmnop',
      10,
      ['abcdefghij', 'klmnop'],
    ],
  ])('%s', (_, text, width, lines) => expect(wrap(text, width)).toEqual(lines))

  test('no line is wider than asked for, and no visible character is lost', () => {
    const text = fc.string({
      unit: fc.constantFrom('a', 'b', ' ', '-', '/', '日', '\n', '*', '1', '.'),
      maxLength: 200,
    })
    fc.assert(
      fc.property(text, fc.integer({ min: 8, max: 60 }), (words, width) => {
        const lines = wrap(words, width)
        expect(lines.every(line => widthOf(line) <= width)).toBe(true)
        expect(lines.join('').replace(/\s/g, '')).toBe(words.replace(/\s/g, ''))
      }),
      { numRuns: 2000 },
    )
  })
})

test('a label stands in the first line only', () => {
  expect(hang('why', 6, 'one two three four', 14)).toEqual([
    'why   one two',
    '      three',
    '      four',
  ])
})
