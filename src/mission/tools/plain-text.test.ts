import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { findHiddenText, findSecrets } from '../../document/index.ts'
import { plainText } from './plain-text.ts'

const SECRET = `ghp_${'a1B2'.repeat(9)}`

describe('a text', () => {
  test.each([
    ['that is short is given whole', 'häh', 100, 'häh', false],
    ['is cut before a character that does not fit', 'aé😀', 3, 'aé', true],
    ['is not cut in a character of four bytes', 'aé😀b', 6, 'aé', true],
    ['may fit to the byte', 'aé😀', 7, 'aé😀', false],
    ['loses its byte order mark', '\ufeffa\u200b', 10, 'a', false],
    ['has lines that end in one way', 'a\r\nb\rc\u2028d', 10, 'a\nb\nc\nd', false],
    [
      'may hide nothing between the letters of a secret',
      SECRET.replace('1', '\u200b1'),
      99,
      'ghp_…',
      false,
    ],
    [
      'is masked before it is cut',
      `${'x'.repeat(10)} ${SECRET}`,
      20,
      `${'x'.repeat(10)} ghp_…`,
      false,
    ],
  ])('%s', (_, text, bytes, plain, isCut) => {
    expect(plainText(text, bytes)).toEqual({ text: plain, isCut })
  })

  test('loses what is known to be secret', () => {
    expect(plainText('the word is plover, he said', 100, ['plover']).text).toBe(
      'the word is …, he said',
    )
  })

  test('of millions of hidden characters is read no further than is needed', () => {
    const hidden = '\u{e0041}'.repeat(1_000_000)
    expect(plainText(`a${hidden}b`, 100)).toEqual({ text: 'ab', isCut: false })
    const { isCut, text } = plainText(`a${'b'.repeat(10_000_000)}`, 100)
    expect([isCut, text.length]).toEqual([true, 100])
  })

  test('is never longer than it may be, well-formed, and without invisible characters', () => {
    const pieces = fc.constantFrom(
      'a',
      'é',
      '😀',
      '\ud83d',
      '\u200b',
      '\u{e0041}',
      '\r',
      SECRET,
      ' ',
    )
    const texts = fc.array(fc.oneof(pieces, fc.string({ unit: 'binary' })), { maxLength: 60 })
    fc.assert(
      fc.property(texts, fc.nat(300), (parts, bytes) => {
        const { text } = plainText(parts.join(''), bytes)
        expect(Buffer.byteLength(text)).toBeLessThanOrEqual(bytes)
        expect(Buffer.from(text).toString()).toBe(text)
        expect(findHiddenText(text)).toEqual([])
        expect(findSecrets(text)).toEqual([])
      }),
    )
  })
})
