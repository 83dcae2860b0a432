import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { connectRaw } from '../../../test/raw-sql.ts'
import {
  LATER,
  openRecordedMissions,
  type RecordedMission,
  type RecordedMissions,
  TENANT,
} from '../../../test/recorded-mission.ts'
import { cancelMission, pauseMission } from '../run/control.ts'
import { replayMission } from './replay.ts'

let missions: RecordedMissions
let finished: RecordedMission
beforeAll(async () => {
  missions = await openRecordedMissions()
  finished = await missions.begin()
  await finished.finish()
  await finished.decide('approved')
  await finished.deliver()
})
afterAll(async () => {
  await missions?.remove()
})

async function replay({ mission }: RecordedMission) {
  const { store, gateway } = missions
  await gateway.log.covered()
  return replayMission(store, { tenant: TENANT, mission }, { now: LATER, log: gateway.log })
}

describe('a mission that is as it was', () => {
  const states: readonly (readonly [string, string, (one: RecordedMission) => Promise<unknown>])[] =
    [
      ['has just begun', 'running', async () => {}],
      ['has a task that is being done', 'running', one => one.begin('search')],
      ['has a task that waits for a person', 'running', one => one.wait('search')],
      ['has failed', 'failed', one => one.fail('search')],
      [
        'has failed half way',
        'failed',
        async one => {
          await one.do('search')
          await one.fail('count')
          await one.do('weigh')
        },
      ],
      [
        'is paused',
        'paused',
        async ({ mission }) => pauseMission(missions.store, { tenant: TENANT, mission }),
      ],
      [
        'was cancelled',
        'cancelled',
        async one => {
          await one.do('search')
          await cancelMission(missions.store, { tenant: TENANT, mission: one.mission }, 'enough')
        },
      ],
      [
        'is finished, and its write-back was rejected',
        'finished',
        async one => {
          await one.finish()
          await one.decide('rejected')
        },
      ],
    ]
  test.each(states)('shows no difference when it %s', async (_, state, until) => {
    const one = await missions.begin()
    await until(one)
    expect(await replay(one)).toMatchObject({ state, tasks: 5, log: true, differences: [] })
  })

  test('shows no difference when it is finished, with everything that was decided', async () => {
    expect(await replay(finished)).toMatchObject({
      state: 'finished',
      artifacts: 9,
      erased: [],
      differences: [],
    })
  })

  test('that does not exist is not found', async () => {
    const mission = '00000000-0000-4000-8000-000000000000'
    const asked = replayMission(missions.store, { tenant: TENANT, mission }, { now: LATER })
    await expect(asked).rejects.toMatchObject({ code: 'not-found' })
    const others = { tenant: 'other', mission: finished.mission }
    await expect(replayMission(missions.store, others, { now: LATER })).rejects.toMatchObject({
      code: 'not-found',
    })
  })
})

test('a payload that the owner of the database has changed is reported', async () => {
  const one = await missions.begin()
  await one.finish()
  const raw = await connectRaw(missions.url)
  try {
    await raw.rows(undefined, 'alter table waybill.colony_worker_results disable trigger user')
    await raw.rows(
      TENANT,
      `update waybill.colony_worker_results set payload = payload || '{"output_text":"better"}'
        where mission_id = $1 and result_id = 'wrk_count'`,
      [one.mission],
    )
  } finally {
    await raw.rows(undefined, 'alter table waybill.colony_worker_results enable trigger user')
    await raw.end()
  }
  const { differences } = await replay(one)
  expect(differences.map(({ code, path }) => `${code} ${path}`)).toEqual([
    'replay/digest-differs /artifacts/worker_result/wrk_count',
  ])
})

describe('what was erased is no difference', () => {
  test.each([
    ['mission_envelope'],
    ['mission_task_graph'],
    ['research_artifact'],
    ['worker_result'],
    ['writeback_proposal'],
    ['policy_decision'],
  ] as const)('%s', async name => {
    const one = await missions.begin()
    await one.finish()
    const { artifacts } = await missions.read(one.mission)
    const { digest = '' } = artifacts.find(found => found.name === name) ?? {}
    const { mission } = one
    const erasure = { tenant: TENANT, artifact: name, mission, digest, by: 'Ada', why: 'asked for' }
    expect(await missions.store.erase(erasure)).toBe(true)
    const replayed = await replay(one)
    expect(replayed.differences).toEqual([])
    expect(replayed.erased).toHaveLength(1)
    expect(replayed.erased[0]).toContain(`/artifacts/${name}/`)
    expect(replayed.undecided).toHaveLength(name === 'mission_task_graph' ? 1 : 0)
  })

  test.each<[string, (one: RecordedMission) => Promise<unknown>]>([
    ['has just begun', async () => {}],
    ['has failed half way', async one => one.do('search').then(() => one.fail('count'))],
    [
      'was cancelled',
      async ({ mission }) => cancelMission(missions.store, { tenant: TENANT, mission }, 'enough'),
    ],
  ])('the graph of a mission that %s; the states of its tasks are undecided', async (_, until) => {
    const one = await missions.begin()
    await until(one)
    const { artifacts } = await missions.read(one.mission)
    const { digest = '' } = artifacts.find(({ name }) => name === 'mission_task_graph') ?? {}
    const { mission } = one
    const artifact = 'mission_task_graph'
    const erasure = { tenant: TENANT, artifact, mission, digest, by: 'Ada', why: 'asked' } as const
    expect(await missions.store.erase(erasure)).toBe(true)
    expect(await replay(one)).toMatchObject({
      differences: [],
      undecided: [
        {
          path: `/artifacts/mission_task_graph/${digest}`,
          message: expect.stringContaining('of 5 tasks cannot be checked'),
        },
      ],
    })
  })
})
