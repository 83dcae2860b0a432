import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { lineIndex } from './position.ts'

describe('positions in a text', () => {
  test.each([
    ['the start', 'ab\ncd', 0, 0, 0],
    ['the line end belongs to its line', 'ab\ncd', 2, 0, 2],
    ['the line after \\n', 'ab\ncd', 3, 1, 0],
    ['between \\r and \\n is still the first line', 'ab\r\ncd', 3, 0, 3],
    ['the line after \\r\\n', 'ab\r\ncd', 4, 1, 0],
    ['a lone \\r ends a line', 'ab\rcd', 3, 1, 0],
    ['an empty last line', 'ab\n', 3, 1, 0],
    ['characters are UTF-16 units', '😀x\n😀x', 6, 1, 2],
    ['U+2028 ends no line', 'a\u2028b', 2, 0, 2],
    ['an empty text', '', 0, 0, 0],
    ['beyond the end is the end', 'ab\ncd', 99, 1, 2],
    ['before the start is the start', 'ab\ncd', -1, 0, 0],
  ])('%s', (_, text, offset, line, character) => {
    expect(lineIndex(text).positionAt(offset)).toEqual({ line, character })
  })

  test('a span becomes a range', () => {
    expect(lineIndex('a\nbc\nd').rangeOf({ start: 2, end: 6 })).toEqual({
      start: { line: 1, character: 0 },
      end: { line: 2, character: 1 },
    })
  })

  test('agrees with counting line ends one by one', () => {
    const text = fc.string({ unit: fc.constantFrom('a', '\r', '\n', '\u2028', 'é') })
    fc.assert(
      fc.property(text, fc.nat(30), (text, offset) => {
        const at = Math.min(offset, text.length)
        let line = 0
        let start = 0
        for (let i = 0; i < at; i++) {
          const ends = text[i] === '\n' || (text[i] === '\r' && text[i + 1] !== '\n')
          if (!ends) continue
          line++
          start = i + 1
        }
        expect(lineIndex(text).positionAt(offset)).toEqual({ line, character: at - start })
      }),
    )
  })
})
