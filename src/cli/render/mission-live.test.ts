import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { MissionStatusParts } from '../../operations/mission/output.ts'
import { liveText } from './mission-live.ts'

const MISSION = '3f1c9a52-8f0e-4c55-9b1a-6b8f2f0f7a10'
const FAILED: MissionStatusParts = {
  mission: MISSION,
  tenant: 'default',
  state: 'failed',
  goal: 'Find out',
  template: 'brief',
  startedAt: '2026-02-10T09:00:00Z',
  endedAt: '2026-02-10T09:00:02Z',
  deadline: null,
  tokensUsed: 0,
  tokenBudget: null,
  openTasks: 0,
  activeTasks: 0,
  reason: { code: 'mission/runner-failed', message: 'one: it ended' },
  tasks: [],
  artifacts: [],
  proposals: [],
  review: null,
}

// Also where somebody runs the test on a terminal.
beforeEach(() => vi.stubEnv('TERM', 'dumb'))
afterEach(() => vi.unstubAllEnvs())

test('a mission that has failed ends with why, and with how it is tried again', () => {
  expect(
    liveText(FAILED, (_, words) => words)
      .split('\n')
      .slice(-3),
  ).toEqual([
    `✗ ${MISSION} failed 2.0 s`,
    '  mission/runner-failed one: it ended',
    `  waybill mission retry ${MISSION} tries again what failed`,
  ])
})
