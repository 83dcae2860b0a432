import { expect, test } from 'vitest'
import type { ListedMissionParts } from '../../operations/mission/output.ts'
import { headLine } from './mission.ts'
import { text } from './mission-list.ts'

const MISSION: ListedMissionParts = {
  mission: '3f1c9a52-8f0e-4c55-9b1a-6b8f2f0f7a10',
  tenant: 'default',
  state: 'running',
  goal: 'Find out',
  template: 'brief',
  startedAt: '2026-02-10T09:00:00Z',
  endedAt: null,
  deadline: '2026-02-10T09:02:00Z',
  tokensUsed: 0,
  tokenBudget: 500,
  openTasks: 3,
  activeTasks: 1,
  reason: null,
}

const plain = (_: string, words: string) => words
const BUDGET = '0 of 500 tokens, until 2026-02-10T09:02:00Z'

test.each([
  ['in the line of the mission where it fits', 120, [BUDGET], []],
  ['below it where it would be cut off', 79, [], [`  ${BUDGET}`]],
])('the budget stands %s', (_, columns, beside, below) => {
  expect(headLine(MISSION, plain, columns).split('\n')).toEqual([
    [`● ${MISSION.mission} running`, ...beside].join(' '),
    ...below,
    '  Find out',
  ])
})

test('a list says what is still to be done, and why something failed', () => {
  const reason = { code: 'mission/runner-failed', message: 'one: it\n  ended' }
  const failed = { ...MISSION, state: 'failed', endedAt: '2026-02-10T09:00:02Z', reason } as const
  const missions = [MISSION, failed]
  expect(text({ missions, more: false }, plain).split('\n').slice(2)).toEqual([
    '  3 tasks to be done',
    `✗ ${MISSION.mission} failed 2.0 s, 0 of 500 tokens`,
    '  Find out',
    '  mission/runner-failed one: it',
  ])
})
