import { expect, test } from 'vitest'
import { check } from '../index.ts'

const advice = async (text: string, place: string) => {
  const { documents } = await check(text, { path: 'a.yaml' })
  return documents[0]?.diagnostics.find(({ path }) => path.endsWith(place))
}

test.each([
  ['SESSION_STATE:\n  Mode: #user\n', true],
  ['SESSION_STATE:\n  "Mode" :  #user\n', true],
  ['SESSION_STATE: { Mode:\t#user\n }\n', true],
  ['SESSION_STATE:\n  Mode:\n', false],
  ['SESSION_STATE:\n  Mode: null #user\n', false],
])('a value that a comment has taken away is reported: %j', async (text, isTold) => {
  const found = await advice(text, '/Mode')
  expect(found?.code).toBe('schema/enum')
  expect(found?.hint?.includes("before the '#'")).toBe(isTold)
})

test('of a misspelt key before a comment is said what was meant', async () => {
  const found = await advice('SESSION_STATE:\n  Mdoe: # note\n', '/Mdoe')
  expect(found).toMatchObject({
    code: 'schema/additional-properties',
    message: "unknown key 'Mdoe'",
    hint: "did you mean 'Mode'?",
  })
})
