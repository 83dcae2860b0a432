import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Database, openDatabase } from '../../../test/database.ts'
import { exampleOf } from '../../../test/mission-payloads.ts'
import { beginOneTask, type OneTask } from '../../../test/one-task.ts'
import { connectRaw, type Raw } from '../../../test/raw-sql.ts'
import { insertArtifact, updateRun } from '../../store/index.ts'
import type { Assignment, Budget, Outcome, Payload } from '../runner.ts'
import { openClaims } from './claim.ts'
import { type Ending, NOTHING } from './endings.ts'
import { executeAttempt, openCommon } from './execute.ts'
import { MissionRecords } from './record.ts'

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

const USED = { inputTokens: 40, outputTokens: 2 }
const REASON = { code: 'mission/runner-failed', message: 'it ended with 1' }

/** A task that continues is not handed over again. */
const WAITS = { is: 'waiting', for: 'agent', token: {}, again: 1, reason: null } as const

const begun = (budgets?: Payload) => beginOneTask(database.store, budgets)

/** Claims the task as a worker does. */
const claim = (one: OneTask) =>
  openClaims().ask({ attempt: one.attempt(), shop: one.shop(), records: new MissionRecords() })

test.each<[string, Ending, string]>([
  ['is tried again', { is: 'failed', reason: REASON, mayRetry: true, usage: USED }, 'queued'],
  [
    'goes on to wait',
    { is: 'waiting', for: 'agent', token: null, again: 60_000, reason: null, usage: USED },
    'waiting',
  ],
])('the tokens of an attempt that %s count for its mission', async (_, ending, state) => {
  const one = await begun()
  await one.end(ending)
  const { task, run } = await one.found()
  expect(task).toMatchObject({ state, tokensUsed: 42 })
  expect(run).toMatchObject({ state: 'running', tokensUsed: 42 })
})

test('a task rests twice as long after each failure, and no longer than its template says', async () => {
  const one = await begun()
  for (let number = 1; number <= 8; number++)
    await one.end({ is: 'failed', reason: REASON, mayRetry: true, usage: NOTHING }, number)
  const rests = await owner.rows(
    undefined,
    `select delay_until_epoch_ms - created_at as rest from dbos.workflow_status
      where workflow_uuid like '%' || $1 || '%' and delay_until_epoch_ms is not null
      order by created_at, delay_until_epoch_ms`,
    [one.mission],
  )
  const seconds = rests.map(({ rest }) => Math.round(Number(rest) / 1000))
  expect(seconds).toEqual([1, 2, 4, 8, 16, 32, 60, 60])
})

test('a task does not start when the time of its mission is over', async () => {
  const one = await begun({ time_budget_ms: 1 })
  await new Promise(resolve => setTimeout(resolve, 20))
  const reason = { code: 'mission/time-budget' }
  expect((await claim(one))?.ready).toMatchObject({ ending: { is: 'failed', reason } })
})

test.each([
  ['exactly as many tokens as it may use', 100, true],
  ['one token less', 99, false],
])('a task of a mission that has used %s starts no more: %s', async (_, used, isOver) => {
  const one = await begun({ token_budget: 100 })
  await one.within(tx => updateRun(tx, one.mission, { tokensUsed: used }))
  const claimed = await claim(one)
  expect(claimed?.ready).toMatchObject(
    isOver
      ? { ending: { reason: { code: 'mission/token-budget' }, mayRetry: false } }
      : { assignment: { budget: { tokens: 1 } } },
  )
})

/** A pass for the task. */
function pass(mission: string, more: Payload): Payload {
  return { ...exampleOf('librarian-pass.v1'), mission_id: mission, task_id: 'first', ...more }
}

test.each([
  ['is over', -60_000, { ending: { reason: { code: 'mission/pass-expired' }, mayRetry: false } }],
  ['is to come', 60_000, { assignment: { pass: { pass_id: 'pass_001' } } }],
])('where the end of its pass %s, a task starts accordingly', async (_, later, ready) => {
  const one = await begun()
  const expires_at = new Date(Date.now() + later).toISOString()
  await one.within(tx => insertArtifact(tx, pass(one.mission, { expires_at })))
  expect((await claim(one))?.ready).toMatchObject(ready)
})

test('a task is given the pass that was written last, in whatever order they were stored', async () => {
  const one = await begun()
  const passes = [
    ['narrow', '2026-04-14T12:00:09Z'],
    ['wide', '2026-04-14T12:00:08Z'],
  ].map(([pass_id, created_at]) =>
    pass(one.mission, { pass_id, created_at, expires_at: '2999-01-01T00:00:00Z' }),
  )
  for (const each of passes) await one.within(tx => insertArtifact(tx, each))
  expect((await claim(one))?.ready).toMatchObject({ assignment: { pass: { pass_id: 'narrow' } } })
})

test('the tokens of an answer that was refused count together with those of the one that repairs it', async () => {
  const one = await begun()
  const answers: Outcome[] = [10, 5].map(inputTokens => ({
    ...{ is: 'returned', answer: {} },
    usage: { inputTokens, outputTokens: 1 },
  }))
  let examined = 0
  const shop = one.shop({
    orchestrator: 'orchestrator-desk',
    run: async () => answers.shift(),
    examine: async () => {
      const faults = examined++ === 0 ? [{ code: 'x', path: '', message: 'no', hint: '' }] : []
      return { artifacts: [], plans: [], faults }
    },
  })
  await one.end({ ...WAITS, usage: NOTHING })
  await executeAttempt(one.attempt(2), shop, openCommon(), new AbortController().signal)
  const { task, run } = await one.found()
  expect(task).toMatchObject({ state: 'done', tokensUsed: 17 })
  expect(run).toMatchObject({ tokensUsed: 17 })
})

test('who repairs an answer has the time and the tokens that the first one has left', async () => {
  const one = await begun({ token_budget: 100 })
  const budgets: Budget[] = []
  const shop = one.shop({
    run: async (_: string, { budget }: Assignment): Promise<Outcome> => {
      budgets.push(budget)
      await new Promise(resolve => setTimeout(resolve, 200))
      return { is: 'returned', answer: {}, usage: { inputTokens: 60, outputTokens: 10 } }
    },
    examine: async () => ({
      artifacts: [],
      plans: [],
      faults: [{ code: 'x', path: '', message: 'no' }],
    }),
  })
  await one.end({ ...WAITS, usage: NOTHING })
  await executeAttempt(one.attempt(2), shop, openCommon(), new AbortController().signal)
  const [first, second] = budgets.map(({ ms }) => ms ?? 0)
  expect((first ?? 0) - (second ?? 0)).toBeGreaterThan(150)
  expect(budgets.map(({ tokens }) => tokens)).toEqual([100, 30])
})
