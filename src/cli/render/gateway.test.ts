import { expect, test } from 'vitest'
import { style } from '../terminal.ts'
import { between, type Passed } from './gateway.ts'

const AGENT = 'domain-05-product'
const HANDOFF = '550e8400-e29b-41d4-a716-446655440000'

test.each<[string, string | null, string | null, string | null, readonly string[]]>([
  ['no person and no id', null, null, null, []],
  ['a sender alone', AGENT, null, null, [`  ${AGENT} → unknown`]],
  ['an id alone', null, null, HANDOFF, [`  unknown → unknown  ${HANDOFF}`]],
])('who hands to whom: %s', (_, from, to, handoff, lines) => {
  expect(between({ from, to, handoff } as Passed, style(false))).toEqual(lines)
})
