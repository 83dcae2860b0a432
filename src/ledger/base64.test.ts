import fc from 'fast-check'
import { expect, test } from 'vitest'
import { fromBase64, fromHex, toBase64, toHex } from './base64.ts'

test('bytes are written as Node writes them, and read back', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 200 }), bytes => {
      expect(toBase64(bytes)).toBe(Buffer.from(bytes).toString('base64'))
      expect(toHex(bytes)).toBe(Buffer.from(bytes).toString('hex'))
      expect(fromBase64(toBase64(bytes))).toEqual(bytes)
      expect(fromHex(toHex(bytes))).toEqual(bytes)
    }),
  )
})

test.each([12_287, 12_288, 12_289, 40_000])('%i bytes are written as Node writes them', length => {
  const bytes = Uint8Array.from({ length }, (_, at) => at * 31 + (at >> 8))
  expect(toBase64(bytes)).toBe(Buffer.from(bytes).toString('base64'))
  expect(fromBase64(toBase64(bytes))).toEqual(bytes)
})

test('whatever is read would have been written just so', () => {
  const likely = fc.string({ unit: fc.constantFrom(...'ABQgwE048+/=-_ \n0afA'), maxLength: 12 })
  fc.assert(
    fc.property(likely, text => {
      const bytes = fromBase64(text)
      if (bytes) expect(toBase64(bytes)).toBe(text)
      const octets = fromHex(text)
      if (octets) expect(toHex(octets)).toBe(text)
    }),
    { numRuns: 2000 },
  )
})

test.each([
  ['without padding', 'AA'],
  ['with too much padding', 'AAA=='],
  ['with nothing but padding', '===='],
  ['with bits after the last byte', 'AB=='],
  ['with bits after the last two bytes', 'AAB='],
  ['in the alphabet for URLs', '-_-_'],
  ['with a line break', 'AAAA\nAAA'],
  ['with padding in the middle', 'AA==AAAA'],
])('base64 %s is refused', (_, text) => {
  expect(fromBase64(text)).toBeUndefined()
})

test.each([
  ['with upper-case digits', 'AA'],
  ['of odd length', 'abc'],
  ['with a space', 'a 0b'],
])('hexadecimal %s is refused', (_, text) => {
  expect(fromHex(text)).toBeUndefined()
})

test('a megabyte is no trouble', () => {
  const bytes = new Uint8Array(1_000_000).fill(7)
  expect(fromBase64(toBase64(bytes))).toEqual(bytes)
  expect(fromBase64(`${'A'.repeat(9_999_996)}A===`)).toBeUndefined()
})
