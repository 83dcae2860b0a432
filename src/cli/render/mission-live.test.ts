import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { ListedTaskParts, MissionStatusParts } from '../../operations/mission/output.ts'
import { missionLines } from './mission.ts'
import { liveMission } from './mission-live.ts'

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

const TASK: ListedTaskParts = {
  task: 'one',
  role: 'worker',
  agent: 'counter',
  state: 'failed',
  dependsOn: [],
  attempt: 1,
  failures: 1,
  waitingFor: null,
  answeredBy: null,
  startedAt: null,
  ms: 20,
  tokensUsed: 0,
  handoff: null,
  reason: {
    code: 'mission/configuration',
    message: 'a model needs the package ai',
    diagnostics: [
      { code: 'mission/configuration', path: '', message: 'x', hint: 'npm install ai' },
    ],
  },
}

// Also where the test runs on a terminal.
beforeEach(() => vi.stubEnv('TERM', 'dumb'))
afterEach(() => vi.unstubAllEnvs())

test('a mission that has failed ends with why, and with how it is tried again', () => {
  expect(
    liveMission()(FAILED, (_, words) => words)
      .split('\n')
      .slice(-3),
  ).toEqual([
    `✗ ${MISSION} failed 2.0 s`,
    '  mission/runner-failed one: it ended',
    `  waybill mission retry ${MISSION} retries what failed`,
  ])
})

test('quiet output names only the failed tasks, each once, and why the mission ended', () => {
  const plain = (_: string, words: string) => words
  const show = liveMission()
  const quietly = (more: Partial<MissionStatusParts>) =>
    show({ ...FAILED, state: 'running', endedAt: null, reason: null, ...more }, plain, true)
  const tasks = [
    { ...TASK, task: 'done', state: 'done', reason: null },
    { ...TASK, task: 'running', state: 'running', reason: null },
    { ...TASK, task: 'failed' },
  ] as const
  expect(quietly({ tasks })).toBe(
    '  ✗ failed  failed  counter, 20 ms  mission/configuration a model needs the package ai\n    npm install ai',
  )
  expect(quietly({ tasks })).toBe('')
  expect(quietly({ tasks, ...{ state: 'finished', endedAt: FAILED.endedAt } })).toBe('')
  expect(quietly({ ...FAILED, tasks }).split('\n')).toEqual([
    `✗ ${MISSION} failed 2.0 s`,
    '  mission/runner-failed one: it ended',
    `  waybill mission retry ${MISSION} retries what failed`,
  ])
  const why = { code: 'mission/cancelled', message: 'enough' }
  expect(quietly({ ...FAILED, state: 'cancelled', reason: why }).split('\n')).toEqual([
    `✗ ${MISSION} cancelled 2.0 s`,
    '  mission/cancelled enough',
  ])
})

test('below a task that has failed stands what to do about it, live and in the tree', () => {
  const status = { ...FAILED, tasks: [TASK] }
  const plain = (_: string, words: string) => words
  expect(liveMission()(status, plain)).toContain(
    'a model needs the package ai\n    npm install ai\n',
  )
  expect(missionLines(status, plain).slice(2, 4)).toEqual([
    '    mission/configuration a model needs the package ai',
    '    npm install ai',
  ])
})
