import fc from 'fast-check'
import { expect, test } from 'vitest'
import { canonicalJson, MAX_DEPTH, parseCanonicalJson } from './canonical.ts'
import { CanonicalScan } from './canonical-scan.ts'
import { parseStatement, STATEMENT_TYPE } from './statement.ts'
import { parseStatementParts } from './statement-parts.ts'

const bytesOf = (text: string) => new TextEncoder().encode(text)
const isCertain = (text: string) => {
  const bytes = bytesOf(text)
  return new CanonicalScan(bytes).end(0, 0) === bytes.length
}

test.each([
  '{}',
  '[]',
  '""',
  '0',
  '-1',
  '123456789012345',
  'true',
  'false',
  'null',
  '{"a":{"":[],"b":[1,"x",null]},"ab":"é\\n\\"\\\\","b":{}}',
  '{"1":0,"10":0,"2":0}',
  '[[{}],{}]',
])('%s is canonical for certain', text => {
  expect(isCertain(text)).toBe(true)
})

test.each([
  ['', 'nothing'],
  [' {}', 'space before'],
  ['{"a": 1}', 'space within'],
  ['{"b":1,"a":1}', 'keys out of order'],
  ['{"ab":1,"a":1}', 'a longer key before what it begins with'],
  ['{"a":1,"a":1}', 'a key twice'],
  ['{"":1,"":1}', 'an empty key twice'],
  ['{"a":1,}', 'a comma too many'],
  ['{,}', 'a comma alone'],
  ['{"a"}', 'a key alone'],
  ['{"a":}', 'a key without a value'],
  ['{"a":1', 'an object that does not end'],
  ['[1,]', 'a comma too many in a list'],
  ['[1', 'a list that does not end'],
  ['[1 ,2]', 'space in a list'],
  ['"a', 'a text that does not end'],
  ['"\\', 'a text that ends in the midst of an escape'],
  ['"\\/"', 'an escape that is not needed'],
  ['"\\u0061"', 'a letter as an escape'],
  ['"\u0001"', 'a control character'],
  ['01', 'a zero before a number'],
  ['00', 'zero twice'],
  ['-0', 'minus zero'],
  ['-', 'a minus alone'],
  ['1.0', 'a fraction that is none'],
  ['1e3', 'an exponent'],
  ['9007199254740993', 'a number that no reader holds'],
  ['truE', 'no word of JSON'],
  ['nul', 'half a word'],
  ['{}{}', 'two values'],
  [`${'['.repeat(MAX_DEPTH + 1)}${']'.repeat(MAX_DEPTH + 1)}`, 'too deep'],
])('%j (%s) is not', text => {
  expect(isCertain(text)).toBe(false)
})

test('what nests as deep as it may is canonical for certain', () => {
  expect(isCertain(`${'['.repeat(MAX_DEPTH)}${']'.repeat(MAX_DEPTH)}`)).toBe(true)
})

test('whatever is canonical for certain, changed in any one place, is so for the full reader too', () => {
  const change = fc.record({ at: fc.nat(), cut: fc.nat(2), put: fc.string({ maxLength: 2 }) })
  const one = fc.property(fc.jsonValue(), fc.option(change), (value, changed) => {
    let text = canonicalJson(value)
    if (typeof text !== 'string') return
    if (changed) {
      const at = changed.at % (text.length + 1)
      text = text.slice(0, at) + changed.put + text.slice(at + changed.cut)
    }
    if (isCertain(text)) expect(parseCanonicalJson(text)).toHaveProperty('value')
  })
  fc.assert(one, { numRuns: 5000 })
})

const DIGEST = 'ab'.repeat(32)
const statement = (predicate: unknown, more: object = {}) => ({
  _type: STATEMENT_TYPE,
  subject: [{ name: 'x', digest: { sha256: DIGEST } }],
  predicateType: 'urn:x',
  predicate,
  ...more,
})
const WANTED = new Set(['at', 'ids'])

test('of a statement only what is wanted of its predicate is read', () => {
  const predicate = { at: 'now', ids: { a: 'ü' }, more: ['ä', { at: 1 }] }
  const bytes = bytesOf(String(canonicalJson(statement(predicate))))
  expect(parseStatementParts(bytes, WANTED)).toEqual(statement({ at: 'now', ids: { a: 'ü' } }))
})

/** What the full reader gives, without the members that no caller uses. */
function expected(bytes: Uint8Array): unknown {
  const full = parseStatement(bytes)
  if ('fault' in full) return full
  const wanted = Object.entries(full.predicate).filter(([name]) => WANTED.has(name))
  return { ...full, predicate: Object.fromEntries(wanted) }
}

test('with one bit changed anywhere it is read or refused as by the full reader', () => {
  const text = String(canonicalJson(statement({ at: 'n', ids: { a: 'ü\n' }, more: [0, -1, true] })))
  const whole = bytesOf(text)
  for (const [at, byte] of whole.entries())
    for (let bit = 0; bit < 8; bit++) {
      const bytes = whole.with(at, byte ^ (1 << bit))
      const read = parseStatementParts(bytes, WANTED)
      // What is not certain is read whole.
      if ('fault' in read || !('more' in read.predicate)) expect(read).toEqual(expected(bytes))
      else expect(read).toEqual(parseStatement(bytes))
    }
})

test.each([
  ['a predicate that is a list', statement([])],
  ['a predicate that is no object', statement(1)],
  ['no subject', statement({}, { subject: [] })],
  ['an empty type', statement({}, { predicateType: '' })],
  ['a key that is not one of a statement', statement({}, { z: 1 })],
  ['a digest in capitals', statement({}, { subject: [{ name: 'x', digest: { sha256: 'AB' } }] })],
])('%s is refused with the words of the full reader', (_, value) => {
  const bytes = bytesOf(String(canonicalJson(value)))
  expect(parseStatementParts(bytes, WANTED)).toEqual(parseStatement(bytes))
  expect(parseStatement(bytes)).toHaveProperty('fault')
})
