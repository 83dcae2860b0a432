import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { formatPointer, maskedPointer, parsePointer } from './pointer.ts'

describe('JSON Pointers (RFC 6901)', () => {
  test.each([
    ['the root', [], ''],
    ['the empty key', [''], '/'],
    ['an index', ['foo', 0], '/foo/0'],
    ['a slash in a key', ['a/b'], '/a~1b'],
    ['a tilde in a key', ['m~n'], '/m~0n'],
    ['an escape spelled out in a key', ['~1'], '/~01'],
    [
      'other special characters stay',
      ['c%d', 'e^f', 'g|h', 'i\\j', 'k"l', ' '],
      '/c%d/e^f/g|h/i\\j/k"l/ ',
    ],
  ])('%s', (_, path, pointer) => {
    expect(formatPointer(path)).toBe(pointer)
    expect(parsePointer(pointer)).toEqual(path.map(String))
  })

  test('a secret in a key is masked by what it is before its slashes are escaped', () => {
    const secret = 'B01ABCDEF/q7Zp2Lx9Vb4Nc8Rt1Ws6Yd3K'
    const url = `https://hooks.${'slack.com'}/services/T01ABCDEF/${secret}`
    expect(maskedPointer(['a/b', 0, url])).toMatch(
      /^\/a~1b\/0\/https:~1~1hooks\.slack\.com~1services~1…$/,
    )
  })

  test('a missing first slash is forgiven', () => {
    expect(parsePointer('a/b')).toEqual(['a', 'b'])
  })

  test('reading undoes writing', () => {
    const key = fc.string({ unit: fc.constantFrom('~', '/', '0', '1', 'a', 'ü') })
    fc.assert(
      fc.property(fc.array(key), path => {
        expect(parsePointer(formatPointer(path))).toEqual(path)
      }),
    )
  })
})
