import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Database, openDatabase } from '../../../test/database.ts'
import { exampleOf } from '../../../test/mission-payloads.ts'
import { beginOneTask } from '../../../test/one-task.ts'
import { connectRaw, type Raw } from '../../../test/raw-sql.ts'
import { WaybillError } from '../../error.ts'
import { claimTask, insertArtifact } from '../../store/index.ts'
import { answerTask, pauseMission, resumeMission, retryMission } from './control.ts'
import { NOTHING } from './endings.ts'
import { executeAttempt, openCommon } from './execute.ts'
import { takeOver } from './take-over.ts'
import type { Examined } from './worker-context.ts'

let database: Database
let owner: Raw
beforeAll(async () => {
  database = await openDatabase()
  owner = await connectRaw(database.url)
})
afterAll(async () => {
  await owner?.end()
  await database?.remove()
})

const REASON = { code: 'mission/runner-failed', message: 'it ended with 1' }
const FAILED = { is: 'failed', reason: REASON, mayRetry: false, usage: NOTHING } as const
const DONE = { is: 'done', artifacts: [], plans: [], revision: 0, usage: NOTHING } as const
const WAITS = { is: 'waiting', token: null, reason: null, usage: NOTHING } as const
const WAITING = { ...WAITS, for: 'person', again: null } as const
const ANSWERED = { by: 'ada', standing: 'claimed', entry: '0'.repeat(64) } as const

const begun = () => beginOneTask(database.store)

test('a worker that has found a task in the queue does not get it once its mission is paused', async () => {
  const one = await begun()
  const { store } = database
  const claim = (number: number) =>
    one.within(tx => claimTask(tx, { ...one.attempt(number), worker: one.worker }))
  await pauseMission(store, one.attempt())
  expect(await claim(1)).toBe(false)
  await resumeMission(store, one.attempt())
  expect(await claim(2)).toBe(true)
})

test('a mission whose last task ends while it is paused has finished, and is not paused any more', async () => {
  const one = await begun()
  await one.within(tx => claimTask(tx, { ...one.attempt(), worker: one.worker }))
  await pauseMission(database.store, one.attempt())
  await one.end(DONE)
  expect((await one.found()).run).toMatchObject({ state: 'finished', pausedAt: null })
})

test('a mission that is tried again has as much time as at first, whatever it has used', async () => {
  const one = await begun()
  const over = `update waybill.mission_runs set deadline = clock_timestamp() - interval '1 day'
    where mission_id = $1`
  await owner.rows('acme', over, [one.mission])
  await one.end(FAILED)
  const before = Date.now()
  const { deadline } = await retryMission(database.store, one.attempt())
  const left = (deadline?.getTime() ?? 0) - before
  expect(left).toBeGreaterThan(3_500_000)
  expect(left).toBeLessThan(3_700_000)
})

test('of a task that is tried again the workers that were lost before count no more', async () => {
  const one = await begun()
  for (const number of [1, 2]) {
    await one.within(tx => claimTask(tx, { ...one.attempt(number), worker: one.worker }))
    await takeOver(database.store, one.attempt(number))
  }
  await one.end(FAILED, 3)
  expect((await one.found()).task).toMatchObject({ state: 'failed', losses: 2, failures: 1 })
  await retryMission(database.store, one.attempt())
  expect((await one.found()).task).toMatchObject({ state: 'queued', losses: 0, failures: 0 })
})

test('a task that waits again has no answer until the next one comes', async () => {
  const one = await begun()
  const answer = (number: number) => {
    const { attempt } = one.attempt(number)
    const record = async () => ANSWERED
    const given = { task: 'first', attempt, answer: {}, record }
    return answerTask(database.store, one.attempt(), given)
  }
  await one.end(WAITING)
  await answer(1)
  expect((await one.found()).task).toMatchObject({ state: 'queued', answeredBy: ANSWERED })
  await one.end(WAITING, 2)
  expect((await one.found()).task).toMatchObject({ state: 'waiting', answeredBy: null })
})

test('an answer to an earlier start of a task is refused, and not recorded', async () => {
  const one = await begun()
  const { store } = database
  await one.end(WAITING)
  await pauseMission(store, one.attempt())
  await resumeMission(store, one.attempt())
  let recorded = 0
  const record = async () => {
    recorded++
    return ANSWERED
  }
  const given = { task: 'first', attempt: 1, answer: {}, record }
  await expect(answerTask(store, one.attempt(), given)).rejects.toMatchObject({
    code: 'conflict',
    message: 'the task first was restarted meanwhile',
  })
  expect(recorded).toBe(0)
  expect((await one.found()).task).toMatchObject({ state: 'waiting', attempt: 2 })
})

test.each([
  ['conflict', 'mission/conflict', 'queued'],
  ['input-output', 'mission/input-output', 'queued'],
  ['configuration', 'mission/configuration', 'failed'],
] as const)(
  'after a %s around a task its reason is %s, and it is %s',
  async (code, reported, state) => {
    const one = await begun()
    await one.end({ ...WAITS, for: 'agent', again: 1 })
    const run = () => Promise.reject(new WaybillError(code, 'another process is in the way'))
    const { signal } = new AbortController()
    await executeAttempt(one.attempt(2), one.shop({ run }), openCommon(), signal)
    expect((await one.found()).task).toMatchObject({
      state,
      failures: 1,
      reason: { code: reported },
    })
  },
)

test('an answer that is examined again, for a review that was stored meanwhile, keeps its time', async () => {
  const one = await begun()
  await one.end({ ...WAITS, for: 'agent', again: 1 })
  const times: number[] = []
  const shop = one.shop({
    run: async () => ({ is: 'returned', answer: {} }),
    examine: async (_: unknown, { cameAt }: Examined) => {
      const { tenant_id: _tenant, actor_id: _actor, ...review } = exampleOf('review-packet.v1')
      await one.within(tx => insertArtifact(tx, { ...review, mission_id: one.mission }))
      await new Promise(resolve => setTimeout(resolve, 20))
      times.push(cameAt)
      return { artifacts: [], plans: [], faults: [] }
    },
  })
  const before = Date.now()
  await executeAttempt(one.attempt(2), shop, openCommon(), new AbortController().signal)
  expect((await one.found()).task).toMatchObject({ state: 'done' })
  const [first, second] = times
  expect(first).toBeGreaterThanOrEqual(before)
  expect(second).toBe(first)
})

test('an answer is not asked for again because the database was away when it was examined', async () => {
  const one = await begun()
  await one.end({ ...WAITS, for: 'agent', again: 1 })
  let [asked, examined] = [0, 0]
  const shop = one.shop({
    run: async () => {
      asked++
      return { is: 'returned', answer: {} }
    },
    examine: async () => {
      if (examined++ === 0) throw new WaybillError('store-unavailable', 'it is away')
      return { artifacts: [], plans: [], faults: [] }
    },
  })
  await executeAttempt(one.attempt(2), shop, openCommon(), new AbortController().signal)
  expect((await one.found()).task).toMatchObject({ state: 'done', attempt: 2 })
  expect({ asked, examined }).toEqual({ asked: 1, examined: 2 })
})
