import { expect, test } from 'vitest'
import { check } from '../index.ts'

test.each([
  ['SESSION_STATE:\n  Mode: #user\n', true],
  ['SESSION_STATE:\n  "Mode" :  #user\n', true],
  ['SESSION_STATE: { Mode:\t#user\n }\n', true],
  ['SESSION_STATE:\n  Mode:\n', false],
  ['SESSION_STATE:\n  Mode: null #user\n', false],
])('a value that a comment has taken away is told: %j', async (text, isTold) => {
  const { documents } = await check(text, { path: 'a.yaml' })
  const found = documents[0]?.diagnostics.find(({ path }) => path.endsWith('/Mode'))
  expect(found?.code).toBe('schema/enum')
  expect(found?.hint?.includes("before the '#'")).toBe(isTold)
})
