import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import missionRetry from '../../src/operations/mission-retry.ts'
import { HEAD, type MissionRepository, openMissionRepository, task } from '../mission-repository.ts'

let repository: MissionRepository
beforeAll(async () => {
  repository = await openMissionRepository()
  const often = HEAD.replace(/retries: .*/, 'retries: { limit: 2, first_ms: 700, longest_ms: 900 }')
  repository.write(
    'missions/templates/moody.yaml',
    `${often}${task('one', 'worker', [], 'UNLESS works')}${task('two', 'worker', ['one'])}`,
  )
  repository.write(
    'missions/templates/dear.yaml',
    `${HEAD}${task('one', 'worker', [], 'TOKENS 80')}${task('two', 'worker', ['one'], 'TOKENS 30')}${task('three', 'worker', ['two'])}`,
  )
  repository.commit()
  await repository.worker()
})
afterAll(() => repository?.remove())

test('a task that fails is tried again after longer and longer, and again when a person asks for it', async () => {
  const mission = await repository.begin('moody')
  const failed = await repository.reaches(mission, 'failed', 'finished')
  expect(failed).toMatchObject({ state: 'failed', reason: { code: 'mission/runner-failed' } })
  expect(failed.tasks).toMatchObject([
    { state: 'failed', attempt: 3, failures: 3, reason: { code: 'mission/runner-failed' } },
    { state: 'blocked', attempt: 0 },
  ])
  const times = readFileSync(join(repository.root, 'works.tried'), 'utf8').trim().split(' ')
  const [first = 0, second = 0, third = 0] = times.map(Number)
  expect(second - first).toBeGreaterThanOrEqual(700)
  expect(third - second).toBeGreaterThanOrEqual(900)
  writeFileSync(join(repository.root, 'works'), '')
  const asked = [1, 2, 3].map(async () => missionRetry.run({ mission }, repository.missionApp()))
  const answers = (await Promise.allSettled(asked)).map(one => one.status).sort()
  expect(answers).toEqual(['fulfilled', 'rejected', 'rejected'])
  const status = await repository.reaches(mission, 'finished', 'failed')
  expect(status).toMatchObject({ state: 'finished', reason: null })
  expect(status.tasks).toMatchObject([
    { state: 'done', attempt: 4, failures: 0 },
    { state: 'done', attempt: 1 },
  ])
  expect(status.artifacts).toHaveLength(2)
})

test('a mission whose time is over ends with that reason, and nothing of it starts any more', async () => {
  const mission = await repository.begin('slow', { timeBudget: 2 })
  const status = await repository.reaches(mission, 'failed', 'finished')
  expect(status.state).toBe('failed')
  // Whether its agent had been started by then is up to the machine.
  expect(status.reason?.code).toMatch(/^mission\/(?:runner-timeout|time-budget)$/)
  expect(status.reason?.message).toContain('the time budget of the mission')
  expect(status.tasks.map(({ state }) => state)).toEqual(['failed', 'blocked'])
})

test('a task that waits for a person gets the same reason when the time of its mission is over', async () => {
  const mission = await repository.begin('person', { timeBudget: 4 })
  const status = await repository.reaches(mission, 'failed', 'finished')
  expect(status.state).toBe('failed')
  expect(status.reason?.message).toContain('the time budget of the mission')
})

test('a task does not start when the tokens of its mission are used up', async () => {
  const mission = await repository.begin('dear', { tokenBudget: 100 })
  const status = await repository.reaches(mission, 'failed', 'finished')
  expect(status).toMatchObject({ state: 'failed', tokensUsed: 110 })
  expect(status.reason?.code).toBe('mission/token-budget')
  expect(status.tasks).toMatchObject([
    { state: 'done' },
    { state: 'done' },
    { state: 'failed', failures: 1, handoff: null, reason: { code: 'mission/token-budget' } },
  ])
})
