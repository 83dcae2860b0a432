import { expect, test } from 'vitest'
import { spelled } from '../../contract/index.ts'
import type { ApproveOutput } from '../../operations/approve/output.ts'
import type { App } from '../../operations/operation.ts'
import { style } from '../terminal.ts'
import { text } from './approve.ts'

const APP = { now: 0, root: '/', cwd: '/' } as App
const HANDOFF = '550e8400-e29b-41d4-a716-446655440000'
const shown: ApproveOutput = {
  outcome: 'would-record',
  decision: 'approved',
  handoff: HANDOFF,
  from: 'domain-05-product',
  to: null,
  sha256: 'ab'.repeat(32),
  by: null,
  standing: null,
  keyid: null,
  receipt: null,
}
const receipt = { index: 7 } as NonNullable<ApproveOutput['receipt']>
const recorded = { ...shown, outcome: 'recorded', by: 'ada', receipt } as const

const ABOUT = `  agents  domain-05-product → unknown\n  digest  ${'ab'.repeat(32)}\n`

test.each<[string, ApproveOutput, string, string]>([
  [
    'what would be approved',
    shown,
    `${HANDOFF} would be approved; nothing recorded`,
    '--by <name>',
  ],
  [
    'what was approved, by a key',
    { ...recorded, standing: 'proved', keyid: 'cd' },
    `✓ ${HANDOFF} is approved by ada`,
    'stated (proved by their key), recorded as entry 7',
  ],
  [
    'what was rejected, by a name',
    { ...recorded, decision: 'rejected', standing: 'claimed' },
    `✗ ${HANDOFF} is rejected by ada`,
    'stated (by name only), recorded as entry 7',
  ],
  [
    'a name that hides something',
    { ...recorded, by: 'ad\u202ea', standing: 'claimed' },
    `✓ ${HANDOFF} is approved by ${spelled('ad\u202ea')}`,
    'entry 7',
  ],
])('a person reads %s', (_, output, first, last) => {
  const said = text(output, style(false), APP, false)
  expect(said.startsWith(`${first}\n${ABOUT}`)).toBe(true)
  expect(said.split('\n').at(-1)).toContain(last)
})

test('quietly nothing is said of what was recorded, and all of what would be', () => {
  expect(text({ ...recorded, standing: 'claimed' }, style(false), APP, true)).toBe('')
  expect(text(shown, style(false), APP, true)).toBe(text(shown, style(false), APP, false))
})
