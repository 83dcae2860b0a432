import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Database, openDatabase } from '../../../test/database.ts'
import { envelopeOf, exampleOf, graphOf } from '../../../test/mission-payloads.ts'
import { WaybillError } from '../../error.ts'
import { claimTask, readRun, readTask, type Store } from '../../store/index.ts'
import { returnsOf } from '../plan/returns.ts'
import type { Outcome, Payload } from '../runner.ts'
import { endAttempt, NOTHING } from './endings.ts'
import { executeAttempt, openCommon } from './execute.ts'
import { submitMission } from './submit.ts'
import type { WorkerContext } from './worker-context.ts'

let database: Database
beforeAll(async () => {
  database = await openDatabase()
})
afterAll(() => database?.remove())

/** A mission with one task that waits for an agent, and may be tried three times. */
async function waiting() {
  const { store } = database
  const [mission, worker] = [randomUUID(), randomUUID()]
  const graph = graphOf(mission, { first: [] })
  const tasks = (graph.tasks as Payload[]).map(task => ({ ...task, required_data_scopes: [] }))
  const retries = { limit: 3, first: 1, longest: 1 }
  await submitMission(store, {
    envelope: envelopeOf(mission, 'acme', { time_budget_ms: 3_600_000 }),
    graph: { ...graph, tasks },
    decisions: [],
    plans: [{ task: 'first', agent: 'a', prompt: null, retries }],
    template: null,
  })
  const attempt = { tenant: 'acme', mission, task: 'first', attempt: 1 }
  await store.tenant('acme', async tx => {
    await claimTask(tx, { ...attempt, worker })
    const task = await readTask(tx, mission, 'first')
    if (!task) throw new Error('there is no such task')
    await endAttempt(
      tx,
      { attempt, task, worker, handoff: null },
      { is: 'waiting', for: 'agent', token: {}, again: 1, reason: null, usage: NOTHING },
    )
  })
  return { ...attempt, attempt: 2 }
}

const usage = { inputTokens: 40, outputTokens: 2 }
const failed = { is: 'failed', code: 'mission/runner-failed', mayRetry: true, usage } as const

test.each<[string, Outcome, number]>([
  ['what a wait goes on with', { is: 'waiting', for: 'agent', token: { a: '\0' } }, 0],
  ['the message of a failure', { ...failed, message: 'half of a character: \ud800' }, 42],
])(
  'where the database refuses %s, the task has failed, once, and its usage counts',
  async (_, outcome, tokens) => {
    const attempt = await waiting()
    const { store } = database
    const shop = {
      store,
      worker: randomUUID(),
      root: '/',
      environment: {},
      returnsOf: (role: string) => returnsOf(role as 'worker'),
      promptFor: async () => null,
      toolsFor: () => undefined,
      run: async () => outcome,
    } as unknown as WorkerContext
    await executeAttempt(attempt, shop, openCommon(), new AbortController().signal)
    const found = await store.tenant('acme', async tx => ({
      task: await readTask(tx, attempt.mission, 'first'),
      run: await readRun(tx, attempt.mission),
    }))
    const reason = { code: 'mission/artifact-refused' }
    expect(found.task).toMatchObject({ state: 'failed', failures: 1, tokensUsed: tokens, reason })
    expect(found.run).toMatchObject({ state: 'failed', tokensUsed: tokens })
  },
)

test('a failure of a closed worker goes back to the queue, and is not counted', async () => {
  const attempt = await waiting()
  const { store } = database
  const sealed = new WaybillError('conflict', 'the log is sealed')
  const shop = {
    store,
    worker: randomUUID(),
    root: '/',
    environment: {},
    closed: () => sealed,
    returnsOf: (role: string) => returnsOf(role as 'worker'),
    promptFor: async () => null,
    toolsFor: () => undefined,
    run: () => Promise.reject(sealed),
  } as unknown as WorkerContext
  await executeAttempt(attempt, shop, openCommon(), new AbortController().signal)
  const found = await store.tenant('acme', tx => readTask(tx, attempt.mission, 'first'))
  expect(found).toMatchObject({ state: 'queued', failures: 0, reason: null })
})

test('what goes wrong around a task says in its reason what to do about it', async () => {
  const attempt = await waiting()
  const { store } = database
  const hint = 'npm install ai@^7'
  const lacking = new WaybillError('configuration', 'a model needs the package ai', { hint })
  const shop = {
    store,
    worker: randomUUID(),
    root: '/',
    environment: {},
    returnsOf: (role: string) => returnsOf(role as 'worker'),
    promptFor: async () => null,
    toolsFor: () => undefined,
    run: () => Promise.reject(lacking),
  } as unknown as WorkerContext
  await executeAttempt(attempt, shop, openCommon(), new AbortController().signal)
  const found = await store.tenant('acme', tx => readTask(tx, attempt.mission, 'first'))
  const said = { code: 'mission/configuration', message: lacking.message }
  const reason = { ...said, diagnostics: [{ ...said, path: '', hint }] }
  expect(found).toMatchObject({ state: 'failed', reason })
})

test('what needs no person is recorded also where the answer that the task has ended is lost', async () => {
  const attempt = await waiting()
  const { store } = database
  let asked = 0
  const unheard: Store = Object.assign(Object.create(store), {
    tenant: async (...args: Parameters<Store['tenant']>) => {
      const answer = await store.tenant(...args)
      if (++asked !== 2) return answer
      throw new WaybillError('store-unavailable', 'it may be there, or not')
    },
  })
  const { tenant_id: _, actor_id: __, ...example } = exampleOf('writeback-proposal.v1')
  const proposal = { ...example, mission_id: attempt.mission }
  const recorded: string[] = []
  const shop = {
    store: unheard,
    worker: randomUUID(),
    root: '/',
    environment: {},
    returnsOf: (role: string) => returnsOf(role as 'worker'),
    promptFor: async () => null,
    toolsFor: () => undefined,
    run: async () => ({ is: 'returned', answer: {}, usage }),
    examine: async () => ({ artifacts: [proposal], plans: [], faults: [] }),
    waive: async () => {},
    recordDecisions: async (tenant: string) => void recorded.push(tenant),
  } as unknown as WorkerContext
  await executeAttempt(attempt, shop, openCommon(), new AbortController().signal)
  const found = await store.tenant('acme', tx => readTask(tx, attempt.mission, 'first'))
  expect(found).toMatchObject({ state: 'done' })
  expect(recorded).toEqual(['acme'])
})
