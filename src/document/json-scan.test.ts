import fc from 'fast-check'
import { visit } from 'jsonc-parser'
import { describe, expect, test } from 'vitest'
import {
  countColons,
  countKeys,
  countMembers,
  endOfDepth,
  holdsHalfCharacter,
  MAX_DEPTH,
  withPlainKeys,
} from './json-scan.ts'

/** The same count from tokens, the slow and obvious way. */
function colonsByToken(text: string): number {
  const tokens = text.match(/"(?:[^"\\]|\\.)*"|[{}[\]:,]|[^\s{}[\]:,"]+/g) ?? []
  let depth = 0
  let deepest = 0
  for (const token of tokens) {
    if (token === '{' || token === '[') deepest = Math.max(deepest, ++depth)
    if (token === '}' || token === ']') depth--
  }
  return deepest > MAX_DEPTH ? -1 : tokens.filter(token => token === ':').length
}

const nested = (levels: number, inside = '') => '['.repeat(levels) + inside + ']'.repeat(levels)

describe('counting colons', () => {
  test.each([
    ['no object', '[1, "a:b"]', 0],
    ['colons in strings do not count', '{"a:": "::", ":": {"b": ":"}}', 3],
    ['an escaped quote does not end a string', '{"a\\":": "\\":"}', 1],
    ['an escaped backslash before the closing quote', '{"a\\\\": "\\\\\\\\", "b": 1}', 2],
    ['brackets in strings do not nest', `["${'['.repeat(200)}"]`, 0],
    ['a hundred levels', nested(100), 0],
    ['a hundred levels with a value', nested(100, '1'), 0],
    ['a hundred and one levels', nested(101), -1],
    ['siblings do not add up', `[${Array(300).fill('[[]]').join()}]`, 0],
    ['a string that never ends', '{"a": "b', 1],
  ])('%s', (_, text, colons) => expect(countColons(text)).toBe(colons))

  test('agrees with counting token by token', () => {
    const key = fc.string({ unit: fc.constantFrom('"', '\\', ':', '{', '[', ']', 'a', '\n', '😀') })
    const { tree } = fc.letrec(tie => ({
      tree: fc.oneof(
        { maxDepth: 6 },
        tie('leaf'),
        fc.array(tie('tree')),
        fc.dictionary(key, tie('tree')),
      ),
      leaf: fc.oneof(key, fc.double(), fc.boolean(), fc.constant(null)),
    }))
    const indent = fc.constantFrom(undefined, 2, '\t')
    fc.assert(
      fc.property(tree, indent, fc.integer({ min: 0, max: 105 }), (value, indent, around) => {
        const text = nested(around, JSON.stringify(value, null, indent))
        expect(countColons(text)).toBe(colonsByToken(text))
      }),
    )
  })
})

describe('counting keys', () => {
  test.each([
    ['no object', '[1, "a:b"]', 0],
    ['white space before the colon', '{"a" : 1, "b"\r\n\t: 2}', 2],
    ['a colon inside a string', '{"a": "b: c"}', 1],
    ['a string that begins with a colon counts too', '{"a": ": b"}', 2],
    ['so does a colon behind an escaped quote', '{"a": "\\": b"}', 2],
    ['a colon at the beginning of what is no JSON', ':', 0],
    ['and behind nothing but white space', ' \n:', 0],
  ])('%s', (_, text, keys) => expect(countKeys(text)).toBe(keys))

  test('never gives fewer than there are', () => {
    const text = fc.string({ unit: fc.constantFrom('"', '\\', ':', ' ', '\n', 'a', '😀') })
    const value = fc.array(fc.dictionary(text, fc.oneof(text, fc.integer())))
    fc.assert(
      fc.property(value, fc.constantFrom(' :', ':', '\n:\t'), (value, colon) => {
        const printed = JSON.stringify(value).replaceAll(/(?<=[{,]"(?:[^"\\]|\\.)*"):/g, colon)
        expect(countKeys(printed)).toBeGreaterThanOrEqual(countColons(printed))
      }),
    )
  })
})

describe('keys without the escapes that they do not need', () => {
  test.each([
    ['no key', '["\\u00e9"]', '["\\u00e9"]'],
    ['a text that looks like a key', '{"a": "\\": b"}', '{"a": "\\": b"}'],
    [
      'keys next to values',
      '{"\\u00e9\\u0061" : "\\u00e9", "b": "\\/", "\\/":1}',
      '{"éa" : "\\u00e9", "b": "\\/", "/":1}',
    ],
    ['both halves of a character', '{"\\ud83d\\ude00": 1}', '{"😀": 1}'],
    ['half of one needs it', '{"\\ud83d": 1}', undefined],
    ['a quote needs it', '{"\\u0061": {"\\u0022": 1}}', undefined],
  ])('%s', (_, text, plain) => expect(withPlainKeys(text)).toBe(plain))
})

test('half a character is found as it stands and as an escape, and a whole one is none', () => {
  const unit = fc.constantFrom(
    '\\ud83d',
    '\\ude00',
    '\\uDBFF',
    '\\uDC00',
    '\\\\',
    '\\n',
    'ud83d',
    '\\ud55c',
    '😀',
    '\ude00',
  )
  fc.assert(
    fc.property(fc.array(unit, { maxLength: 5 }), units => {
      const text = `"${units.join('')}"`
      // A half as it stands may join with an escape; that counts as half a character too.
      const isWhole = text.isWellFormed() && JSON.parse(text).isWellFormed()
      expect(holdsHalfCharacter(text)).toBe(!isWhole)
    }),
    { numRuns: 2000 },
  )
})

describe('counting members', () => {
  test.each([
    ['a scalar', 'x', 0],
    ['members at every depth', { a: 1, b: [{ c: { d: null } }, 2] }, 4],
    ['an own __proto__', JSON.parse('{"__proto__": {"a": 1}}'), 2],
    ['an empty key', { '': '' }, 1],
    ['the largest safe integer', { a: Number.MAX_SAFE_INTEGER }, 1],
    ['an unsafe integer', { a: [2 ** 53] }, Number.NaN],
    ['a negative unsafe integer', [-(2 ** 53)], Number.NaN],
    ['a hundred levels', JSON.parse(nested(100)), 0],
    ['a hundred and one levels', JSON.parse(nested(101)), Number.NaN],
    ['objects count as levels', { a: JSON.parse(nested(100)) }, Number.NaN],
    ['infinity', { a: JSON.parse('1e400') }, Number.NaN],
  ])('%s', (_, value, members) => expect(countMembers(value)).toBe(members))
})

describe('how far a recovering parser may read', () => {
  test.each([
    ['all of a shallow text', '{"a": [1]', 9],
    ['up to the bracket that is too deep', nested(101), 100],
    ['a string that ends with its line hides nothing behind it', `"\n${'['.repeat(101)}`, 102],
    ['an escaped line end goes on', `"\\\n${'['.repeat(101)}`, 104],
    ['a bracket closes only its own kind', '[},'.repeat(101), 300],
    ['brackets in comments do not count', `/*${'['.repeat(200)}*/ //${'['.repeat(200)}`, 407],
    ['a slash after a comment begins no other', `/**// ${'['.repeat(101)}`, 106],
  ])('%s', (_, text, end) => expect(endOfDepth(text)).toBe(end))

  test('the parser never nests deeper, however broken the text', () => {
    const token = fc.constantFrom(
      ...'{}[]",:/*\\\n',
      '//',
      '/*',
      '*/',
      '[[[',
      '{"a":',
      '"b"',
      '1',
      'x',
      "'",
      '\\"',
    )
    fc.assert(
      fc.property(fc.array(token, { maxLength: 400, size: 'max' }), tokens => {
        const text = tokens.join('')
        let depth = 0
        let deepest = 0
        const enter = () => {
          deepest = Math.max(deepest, ++depth)
        }
        const leave = () => {
          depth--
        }
        visit(
          text.slice(0, endOfDepth(text)),
          { onObjectBegin: enter, onArrayBegin: enter, onObjectEnd: leave, onArrayEnd: leave },
          { disallowComments: true },
        )
        expect(deepest).toBeLessThanOrEqual(MAX_DEPTH)
      }),
    )
  })
})
