import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import canonicalize from 'canonicalize'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { canonicalJson, MAX_DEPTH, parseCanonicalJson } from './canonical.ts'

const vectors = join(import.meta.dirname, 'testdata/rfc8785')
const names = readdirSync(join(vectors, 'input'))
const vector = (folder: 'input' | 'output', name: string) =>
  readFileSync(join(vectors, folder, name), 'utf8')

/** A list in a list, and so on. */
function nested(depth: number): unknown {
  let value: unknown = []
  for (let level = 1; level < depth; level++) value = [value]
  return value
}

test('the vectors of RFC 8785 are all there', () => {
  expect(names).toHaveLength(6)
})

test.each(names)('the vector %s of RFC 8785 is written as its author wrote it', name => {
  expect(canonicalJson(JSON.parse(vector('input', name)))).toBe(vector('output', name))
})

test.each(names)('the vector %s is read in its canonical form only', name => {
  const value: unknown = JSON.parse(vector('input', name))
  expect(parseCanonicalJson(vector('output', name))).toEqual({ value })
  expect(parseCanonicalJson(vector('input', name))).toHaveProperty('fault')
})

test.each([
  ['half a surrogate pair in a text', { a: ['\ud800'] }, '/a/0 has an unpaired surrogate'],
  ['half a surrogate pair in a key', { a: { '\udc00': 1 } }, '/a has a key that has an unpaired'],
  [
    'something undefined',
    { 'a/b~': undefined },
    '/a~1b~0 is not a JSON value but of type undefined',
  ],
  ['a hole in a list', [1, undefined, 2], '/1 is not a JSON value'],
  ['a function', [() => 1], '/0 is not a JSON value but of type function'],
  ['a big integer', 1n, 'the value is not a JSON value but of type bigint'],
  ['infinity', { a: Number.POSITIVE_INFINITY }, '/a is not a finite number'],
  ['not a number', Number.NaN, 'the value is not a finite number'],
  ['a date', { at: new Date(0) }, '/at is not a plain object'],
  ['a map', new Map(), 'the value is not a plain object'],
  ['a symbol for a key', { [Symbol('a')]: 1 }, 'the value has a key that is not a string'],
  ['one level too many', nested(MAX_DEPTH + 1), `nests more than ${MAX_DEPTH} levels deep`],
  ['20,000 levels', nested(20_000), 'nests more than'],
])('%s is a fault that names its place', (_, value, fault) => {
  expect(canonicalJson(value)).toEqual({ fault: expect.stringContaining(fault) })
})

test('a value that contains itself is a fault', () => {
  const value: unknown[] = []
  value.push(value)
  expect(canonicalJson(value)).toHaveProperty('fault')
})

test('a value that throws when it is read is a fault', () => {
  const value = {
    get a(): string {
      throw new Error('no')
    },
  }
  expect(canonicalJson(value)).toEqual({ fault: 'the value cannot be written as JSON' })
})

test('as many levels as are allowed are written and read', () => {
  const text = canonicalJson(nested(MAX_DEPTH))
  expect(text).toBe('['.repeat(MAX_DEPTH) + ']'.repeat(MAX_DEPTH))
  expect(parseCanonicalJson(String(text))).toHaveProperty('value')
})

test.each([
  ['a duplicate key', '{"a":1,"a":2}'],
  ['keys out of order', '{"b":1,"a":2}'],
  ['keys that look like numbers in the order of numbers', '{"9":1,"10":2}'],
  ['white space', '{"a": 1}'],
  ['a line end', '{"a":1}\n'],
  ['an integer that is rounded', '9007199254740993'],
  ['a number too large', '1e400'],
  ['a number written otherwise', '1.0'],
  ['minus zero', '-0'],
  ['an escape that is not needed', '"\\u0041"'],
  ['half a surrogate pair', '"\\ud800"'],
  ['too many levels', '['.repeat(MAX_DEPTH + 1) + ']'.repeat(MAX_DEPTH + 1)],
  ['100,000 levels', '['.repeat(100_000) + ']'.repeat(100_000)],
  ['nothing', ''],
  ['no JSON', '{'],
])('%s is not read', (_, text) => {
  expect(parseCanonicalJson(text)).toHaveProperty('fault')
})

test.each([
  ['keys that look like numbers in the order of texts', '{"10":1,"9":2}'],
  ['a key that is a prototype elsewhere', '{"__proto__":{"a":1}}'],
  ['a backslash before ud', '{"a":"\\\\ud800"}'],
  ['a list of more than ten', '[0,1,2,3,4,5,6,7,8,9,10,11]'],
])('%s is read', (_, text) => {
  const read = parseCanonicalJson(text)
  expect('value' in read && canonicalJson(read.value)).toBe(text)
})

test('what is written is read again, and written the same', () => {
  fc.assert(
    fc.property(fc.jsonValue({ stringUnit: 'binary' }), value => {
      const text = canonicalJson(value)
      const read = parseCanonicalJson(String(text))
      expect('value' in read && canonicalJson(read.value)).toBe(text)
    }),
  )
})

test('every value is written as the library for canonical JSON writes it', () => {
  const key = fc.oneof(fc.constantFrom('10', '9', '__proto__', 'toJSON', '0a', ''), fc.string())
  const value = fc.letrec(tie => ({
    value: fc.oneof({ maxDepth: 4 }, fc.jsonValue(), tie('object')),
    object: fc.dictionary(key, tie('value'), { noNullPrototype: true }),
  })).value
  fc.assert(
    fc.property(value, one => {
      expect(canonicalJson(one)).toBe(canonicalize(one))
    }),
  )
})

test('of all ways to write a value only the canonical one is read', () => {
  fc.assert(
    fc.property(fc.jsonValue({ stringUnit: 'binary' }), value => {
      const [plain, canonical] = [JSON.stringify(value), canonicalJson(value)]
      expect('value' in parseCanonicalJson(plain)).toBe(plain === canonical)
      expect('value' in parseCanonicalJson(JSON.stringify(value, null, 1))).toBe(
        JSON.stringify(value, null, 1) === canonical,
      )
    }),
  )
})

test('no text makes the reader throw', () => {
  fc.assert(
    fc.property(fc.oneof(fc.string({ unit: 'binary' }), fc.json()), text => {
      parseCanonicalJson(text)
    }),
  )
})
