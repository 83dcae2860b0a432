import { expect, test } from 'vitest'
import { expectProportion } from '../../test/hostile/proportion.ts'
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

test('what stands between the lines of a key is not struck out', () => {
  const lines = ['-----BEGIN PRIVATE KEY-----', '## Decisions', 'MIIEpAIBAAKCAQEA', '-----END']
  const mask = discretion(lines.join('\n'), lines)
  expect(lines.map(mask)).toEqual(['-----BEGIN PRIV…', '## Decisions', 'PRIV…', '-----END'])
})

test('many keys are found in many lines in linear time', async () => {
  const line = (i: number) => `${i}`.padStart(8, 'MIIEpAIBAA+/x').repeat(8)
  const make = (size: number) =>
    Array.from({ length: size }, (_, i) =>
      i % 20 === 0 ? '-----END X-----\n-----BEGIN PRIVATE KEY-----' : line(i),
    ).join('\n')
  const show = (text: string) => {
    const lines = text.split('\n')
    lines.map(discretion(text, lines))
  }
  await expectProportion(show, make, 200)
})
