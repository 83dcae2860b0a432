import fc from 'fast-check'
import { expect, test } from 'vitest'
import { isSamePrincipal } from './principals.ts'

test.each([
  ['the same letters', 'ada', 'ada'],
  ['capital letters', 'Ada', 'ada'],
  ['spaces around it', ' ada ', 'ada'],
  ['marks between words', 'ada_lovelace', 'Ada Lovelace'],
  ['marks on letters', 'Adä', 'ada'],
  ['a kind of holder', 'person:ada', 'ada'],
  ['a Cyrillic letter', '\u0430da', 'ada'],
  ['a Greek letter', 'ad\u03b1', 'ada'],
  ['wide letters', '\uff41\uff44\uff41', 'ada'],
  ['a small capital', 'b\u1d0fb', 'bob'],
  ['Coptic letters', '\u2c87d\u2c81 n\u2c9fr', 'ada nor'],
  ['Cherokee letters', 'b\uab74\u13cf', 'bob'],
  ['a rarer Cyrillic letter', '\ua647da', 'ida'],
  ['rarer Latin letters', '\ua787h\uab32 \u0271en', 'the men'],
  ['a syllable of Cree', 'a\u146fa', 'ada'],
  ['a symbol', '\u237ad\u237a', 'ada'],
  ['a digit in the place of a letter', 'b0b', 'bob'],
  ['letters that run together', 'rnary', 'mary'],
  ['an invisible character', 'a\u200bda', 'ada'],
])('%s makes no other principal of it', (_, one, other) => {
  expect([isSamePrincipal(one, other), isSamePrincipal(other, one)]).toEqual([true, true])
})

test.each([
  ['ada', 'bob'],
  ['ada', 'adam'],
  ['\u674e\u660e', '\u738b\u82b3'],
  ['\u0410\u043d\u043d\u0430', '\u041e\u043b\u0435\u0433'],
  ['---', '...'],
  ['', '-'],
])('%j and %j are two', (one, other) => {
  expect([isSamePrincipal(one, other), isSamePrincipal(other, one)]).toEqual([false, false])
})

test('a principal is the same as itself, and the order does not matter', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), fc.string({ unit: 'binary' }), (one, other) => {
      expect(isSamePrincipal(one, one)).toBe(true)
      expect(isSamePrincipal(one, other)).toBe(isSamePrincipal(other, one))
    }),
  )
})
