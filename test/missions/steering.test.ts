import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { cancelMission } from '../../src/mission/index.ts'
import missionAnswer from '../../src/operations/mission-answer.ts'
import missionCancel from '../../src/operations/mission-cancel.ts'
import missionPause from '../../src/operations/mission-pause.ts'
import missionResume from '../../src/operations/mission-resume.ts'
import { readRun } from '../../src/store/index.ts'
import { agentsOf, expectBriefOnce, taskReaches, withRaw } from '../mission-facts.ts'
import { HEAD, type MissionRepository, openMissionRepository, task } from '../mission-repository.ts'
import { comesTrue } from '../processes.ts'

let repository: MissionRepository
beforeAll(async () => {
  repository = await openMissionRepository()
  repository.write(
    'missions/templates/steps.yaml',
    `${HEAD}${task('one', 'worker', [], 'HOLD go')}${task('two', 'worker', ['one'])}`,
  )
  repository.commit()
  await repository.worker()
})
afterAll(() => repository?.remove())

const isAgentThere = () => comesTrue(() => agentsOf(repository).length === 1, 60_000)
/** Its agent would take ten minutes. */
const isAgentGone = () => comesTrue(() => agentsOf(repository).length === 0, 60_000)

test('a mission that is cancelled ends its agents at once, and nothing of it counts', async () => {
  const mission = await repository.begin('slow')
  await taskReaches(repository, mission, 'one', 'running')
  expect(await isAgentThere()).toBe(true)
  await missionCancel.run({ mission, why: 'wrong customer' }, repository.missionApp())
  expect(await isAgentGone()).toBe(true)
  const status = await repository.peek(mission)
  expect(status).toMatchObject({
    state: 'cancelled',
    reason: { code: 'mission/cancelled', message: 'wrong customer' },
    artifacts: [],
  })
  expect(status.tasks.map(({ state }) => state)).toEqual(['cancelled', 'cancelled'])
})

test.each([
  ['a credential', `token=ghp_${'a1B2'.repeat(9)}`, 'looks like a credential'],
  ['what steers a terminal', 'enough\u001b[2J', 'invisible'],
  ['what is not seen', 'enough\u202e', 'invisible'],
])('a reason that holds %s is not recorded with a mission', async (_, reason, message) => {
  const mission = await repository.begin('person')
  const app = repository.missionApp()
  const refused = { code: 'usage', message: expect.stringContaining(message) }
  await expect(missionCancel.run({ mission, why: reason }, app)).rejects.toMatchObject(refused)
  await missionPause.run({ mission }, app)
  const stated = { mission, verifiedBy: 'Ada', note: reason }
  await expect(missionResume.run(stated, app)).rejects.toMatchObject(refused)
  expect(await repository.peek(mission)).toMatchObject({ state: 'paused', reason: null })
  await missionCancel.run({ mission, why: 'of no more use' }, app)
})

test('a cancellation reaches a worker that was cut off when it was sent', async () => {
  const mission = await repository.begin('slow')
  await taskReaches(repository, mission, 'one', 'running')
  expect(await isAgentThere()).toBe(true)
  const { store, url } = repository.database
  const name = new URL(url).pathname.slice(1)
  const main = new URL(url)
  main.pathname = '/postgres'
  await withRaw(main.href, async ({ client }) => {
    // No new connection is made until it is cancelled, on a connection that exists.
    await store.tenant('default', async tx => readRun(tx, mission))
    await client.query(`alter database ${name} allow_connections false`)
    const hears = "query ~ '^listen|waybill.workers'"
    const cut = `select pg_terminate_backend(pid) from pg_stat_activity where datname = $1 and ${hears}`
    expect((await client.query(cut, [name])).rowCount).toBeGreaterThan(0)
    await cancelMission(store, { tenant: 'default', mission }, 'unheard')
    await client.query(`alter database ${name} allow_connections true`)
  })
  expect(await isAgentGone()).toBe(true)
  expect((await repository.peek(mission)).state).toBe('cancelled')
})

test('a mission that is paused ends what runs and starts nothing, until it goes on', async () => {
  const mission = await repository.begin('steps', { timeBudget: 6000 })
  await taskReaches(repository, mission, 'one', 'running')
  const { deadline } = await missionPause.run({ mission }, repository.missionApp())
  writeFileSync(join(repository.root, 'go'), '')
  await taskReaches(repository, mission, 'one', 'done')
  // Others are done meanwhile, by the same worker.
  const other = await repository.begin('brief')
  await expectBriefOnce(repository, other, await repository.reaches(other, 'finished', 'failed'))
  const paused = await repository.peek(mission)
  expect(paused.state).toBe('paused')
  expect(paused.tasks.map(({ state }) => state)).toEqual(['done', 'queued'])
  const resumed = await missionResume.run({ mission }, repository.missionApp())
  // Its time stood still.
  expect(Date.parse(String(resumed.deadline))).toBeGreaterThan(Date.parse(String(deadline)))
  const status = await repository.reaches(mission, 'finished', 'failed')
  expect(status.state).toBe('finished')
  expect(status.artifacts).toHaveLength(2)
})

/** What came of asking the same of a mission several times at once. */
async function atOnce(ask: () => Promise<unknown>): Promise<readonly string[]> {
  const all = await Promise.allSettled([1, 2, 3].map(ask))
  return all.map(one => (one.status === 'fulfilled' ? 'done' : one.reason.code)).sort()
}

test('of several operators who cancel or answer at once, one does, and the others get an error', async () => {
  const answer = { output_text: 'Yes.', structured_output: {}, confidence: 1, tool_trace_refs: [] }
  const citations = [{ kind: 'internal', ref: 'lead_123' }]
  repository.write('answer.json', JSON.stringify({ ...answer, citations }))
  const asked = await repository.begin('person')
  await taskReaches(repository, asked, 'decide', 'waiting')
  const given = { mission: asked, task: 'decide', file: 'answer.json', by: 'ada' }
  expect(await atOnce(async () => missionAnswer.run(given, repository.missionApp()))).toEqual([
    'conflict',
    'conflict',
    'done',
  ])
  const status = await repository.reaches(asked, 'finished', 'failed')
  expect(status.state).toBe('finished')
  expect(status.artifacts).toHaveLength(3)
  const mission = await repository.begin('slow')
  expect(await atOnce(async () => missionCancel.run({ mission }, repository.missionApp()))).toEqual(
    ['conflict', 'conflict', 'done'],
  )
  expect(await isAgentGone()).toBe(true)
})
