import { expect, test } from 'vitest'
import { discretion } from './discretion.ts'

const text = 'password: "q7Zp2Lx9Vb4Nc8"\npasswd: "ab\\"cdefgh12345"\npassword=xy12\n'

test.each([
  ['all of a secret', "'q7Zp2Lx9Vb4Nc8' is wrong", "'…' is wrong"],
  ['a piece from its middle', "'Zp2Lx9Vb4' is wrong", "'…' is wrong"],
  ['its beginning, cut short', "'q7Zp2Lx9V…' is wrong", "'……' is wrong"],
  ['a secret as its parser reads it', `'ab"cdefgh12345'`, "'…'"],
  ['a short secret', "'xy12' and xy1", "'…' and xy1"],
  ['words without a secret', "'q7Zp2' is wrong", "'q7Zp2' is wrong"],
])('%s', (_, said, shown) => {
  expect(discretion(text, [said])(said)).toBe(shown)
})
