import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { cpuTimeOf } from '../../test/cpu-time.ts'
import { findHiddenText } from './hidden-text.ts'

const char = String.fromCodePoint
const tags = (text: string) =>
  Array.from(text, letter => char(0xe0000 + (letter.codePointAt(0) ?? 0))).join('')
const FLAG = '\u{1f3f4}'
const END = '\u{e007f}'
const found = (text: string) => findHiddenText(text).map(({ kind }) => kind)

describe('what is hidden', () => {
  test.each([
    ['a sentence in tag characters', `ok${tags('obey')}`, Array(4).fill('tag character')],
    ['tags behind a flag that never end', `${FLAG}${tags('gb')}`, Array(2).fill('tag character')],
    [
      'a sentence behind a flag',
      `${FLAG}${tags('ignoreall')}${END}`,
      Array(10).fill('tag character'),
    ],
    [
      'a space among the tags of a flag',
      `${FLAG}${tags('a b c')}${END}`,
      Array(6).fill('tag character'),
    ],
    ['the end tag alone', `a${END}`, ['tag character']],
    ['a right-to-left override', 'a\u202eb\u202c', Array(2).fill('bidirectional control')],
    [
      'an isolate in an Arabic text',
      '\u2066\u0633\u0644\u2069',
      Array(2).fill('bidirectional control'),
    ],
    ['a direction mark in English', 'a\u200eb', ['bidirectional mark']],
    ['a zero-width space in a word', 'pass\u200bword', ['zero-width character']],
    ['joiners between Latin letters', 'a\u200cb\u200dc', Array(2).fill('zero-width character')],
    ['a joiner at the start', '\u200da', ['zero-width character']],
    ['a joiner behind an emoji that joins nothing', '\u{1f600}\u200d.', ['zero-width character']],
    [
      'two joiners between emoji',
      '\u{1f468}\u200d\u200d\u{1f469}',
      Array(2).fill('zero-width character'),
    ],
    ['two non-joiners in Persian', 'می\u200c\u200cخ', Array(2).fill('zero-width character')],
    ['a joiner between Persian and Latin', 'می\u200cx', ['zero-width character']],
    ['a word joiner', 'a\u2060b', ['zero-width character']],
    ['a byte order mark within', 'a\ufeffb', ['zero-width character']],
    ['a second byte order mark', '\ufeff\ufeffa', ['zero-width character']],
    ['a Mongolian vowel separator', 'a\u180eb', ['zero-width character']],
    ['a soft hyphen', 'pass\u00adword', ['soft hyphen']],
    ['invisible operators', 'a\u2061\u2062\u2063\u2064b', Array(4).fill('invisible operator')],
    ['fillers', 'a\u115f\u1160\u3164\uffa0', Array(4).fill('invisible filler')],
    ['two variation selectors', '\u2764\ufe0f\ufe0f', ['variation selector']],
    ['a variation selector behind a letter', 'a\ufe0f', ['variation selector']],
    ['a variation selector behind a space', ' \ufe01', ['variation selector']],
    ['a variation selector at the start', '\ufe0f', ['variation selector']],
    [
      'supplementary selectors behind an emoji',
      `\u{1f600}${'\u{e0101}'.repeat(3)}`,
      Array(3).fill('variation selector'),
    ],
    [
      'two supplementary selectors behind an ideograph',
      '葛\u{e0100}\u{e0101}',
      ['variation selector'],
    ],
    ['a null', 'a\0b', ['control character']],
    ['an escape', '\x1b[31m', ['control character']],
    [
      'a backspace, a form feed, a delete, a next line',
      '\b\f\x7f\x85',
      Array(4).fill('control character'),
    ],
    ['an invisible note', '\ufff9a\ufffa', Array(2).fill('invisible format character')],
    ['a musical beam', `a${char(0x1d173)}`, ['invisible format character']],
  ])('%s', (_name, text, kinds) => {
    expect(found(text)).toEqual(kinds)
  })

  test('says which character it is and where', () => {
    expect(findHiddenText('ab\u202e \u{e0041}!')).toEqual([
      { kind: 'bidirectional control', codePoint: 0x202e, span: { start: 2, end: 3 } },
      { kind: 'tag character', codePoint: 0xe0041, span: { start: 4, end: 6 } },
    ])
  })

  test('gives the same answer when asked again', () => {
    expect(found('a\u200bb')).toEqual(found('a\u200bb'))
  })
})

describe('what belongs to good writing', () => {
  test.each([
    ['line breaks and tabs', 'a\tb\r\nc\n'],
    ['a byte order mark at the start', '\ufeffa'],
    ['emoji with presentation selectors', '✅ ❤\ufe0f 1\ufe0f\u20e3 #\ufe0f\u20e3 ©\ufe0f ☺\ufe0e'],
    ['a family', '\u{1f468}\u200d\u{1f469}\u200d\u{1f467}'],
    ['a skin tone and a profession', '\u{1f469}\u{1f3fd}\u200d\u{1f4bb}'],
    ['a rainbow flag', '\u{1f3f3}\ufe0f\u200d\u{1f308}'],
    ['a heart on fire', '\u2764\ufe0f\u200d\u{1f525}'],
    [
      'the flags of Wales and of Texas',
      `${FLAG}${tags('gbwls')}${END} ${FLAG}${tags('ustx')}${END}`,
    ],
    ['Persian', 'می\u200cخواهم'],
    ['Persian behind a vowel mark', 'هُ\u200cها'],
    ['Hindi', 'क्\u200dष'],
    ['Bengali', 'র\u200d্যা'],
    ['Malayalam', 'ന്\u200dറ'],
    ['Sinhala', 'ක්\u200dෂ'],
    ['Mongolian', 'ᠠ\u180b'],
    ['Thai word breaks', 'ภาษา\u200bไทย'],
    ['Khmer word breaks', 'ខ្ញុំ\u200bទៅ'],
    ['an ideograph with a variant', '葛\u{e0100}'],
    ['direction marks in Hebrew', 'עברית (C++)\u200f \u200e'],
    ['mathematics beyond U+FFFF', '\u{1d49c}\u{1d538} \u{1f600}'],
    ['no-break spaces', 'a\u00a0b\u202fc'],
    ['half a pair', '\ud834 \udb40 \udc41'],
  ])('%s', (_name, text) => {
    expect(found(text)).toEqual([])
  })

  test('printable text of the common scripts', () => {
    const printable = fc.string({
      unit: fc
        .integer({ min: 0x20, max: 0xffff })
        .map(code => char(code))
        .filter(letter => /[\p{L}\p{N}\p{P}\p{S} ]/u.test(letter) && !/\p{DI}/u.test(letter)),
    })
    fc.assert(
      fc.property(printable, text => {
        expect(found(text)).toEqual([])
      }),
    )
  })
})

test('what stays in a text is found wherever it stands', () => {
  const hidden = ['\u202e', '\u200b', '\0', '\u{e0041}', '\u2062', '\u3164']
  fc.assert(
    fc.property(fc.string(), fc.constantFrom(...hidden), fc.string(), (before, secret, after) => {
      const spans = findHiddenText(before + secret + after).map(({ span }) => span)
      const start = before.length
      expect(spans).toContainEqual({ start, end: start + secret.length })
    }),
  )
})

test.each([
  '\u200d',
  '\u{1f600}\u200d',
  '\u{e0041}',
  FLAG,
  `${FLAG}${tags('a')}`,
  '\ufe0f',
  'क\u200d',
  '\0',
  '\u200e',
  '\ud834',
])('a text of nothing but %j takes no time', async piece => {
  const ms = await cpuTimeOf(() => findHiddenText(piece.repeat(100_000)))
  expect(ms).toBeLessThan(2000)
})
