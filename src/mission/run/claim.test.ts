import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Database, openDatabase } from '../../../test/database.ts'
import { envelopeOf, exampleOf, graphOf } from '../../../test/mission-payloads.ts'
import { claimTask, listArtifacts, readTask } from '../../store/index.ts'
import { returnsOf } from '../plan/returns.ts'
import type { Payload } from '../runner.ts'
import { openClaims } from './claim.ts'
import { MissionRecords } from './record.ts'
import { submitMission } from './submit.ts'
import { takeOver } from './take-over.ts'
import type { WorkerContext } from './worker-context.ts'

let database: Database
beforeAll(async () => {
  database = await openDatabase()
})
afterAll(() => database?.remove())

const plan = { agent: 'a', prompt: null, retries: { limit: 0, first: 1, longest: 1 } }

test('the worker that has claimed a task may ask again, for it may have missed the answer; no other may', async () => {
  const { store } = database
  const [mission, worker, other] = [randomUUID(), randomUUID(), randomUUID()]
  await submitMission(store, {
    envelope: envelopeOf(mission, 'acme'),
    graph: graphOf(mission, { first: [] }),
    decisions: [],
    plans: [{ ...plan, task: 'first' }],
    template: null,
  })
  const claim = (by: string, attempt = 1) =>
    store.tenant('acme', tx => claimTask(tx, { mission, task: 'first', attempt, worker: by }))
  expect(await claim(worker)).toBe(true)
  expect(await claim(worker)).toBe(true)
  expect(await claim(other)).toBe(false)
  const attempt = { tenant: 'acme', mission, task: 'first', attempt: 1 }
  // Two who find a worker dead do so once.
  await Promise.all([takeOver(store, attempt), takeOver(store, attempt)])
  const found = await store.tenant('acme', tx => readTask(tx, mission, 'first'))
  expect(found).toMatchObject({ state: 'queued', attempt: 2, losses: 1, worker: null })
  expect(await claim(worker)).toBe(false)
  expect(await claim(other, 2)).toBe(true)
  expect(await claim(worker, 2)).toBe(false)
})

/** Three tasks; the prompts of one need the id of another's, and those of the third are not taken by the database. */
async function threeTasks() {
  const { store } = database
  const mission = randomUUID()
  const graph = graphOf(mission, { first: [], second: [], third: [] })
  const tasks = (graph.tasks as Payload[]).map(task => ({ ...task, required_data_scopes: [] }))
  await submitMission(store, {
    envelope: envelopeOf(mission, 'acme', { time_budget_ms: 3_600_000 }),
    graph: { ...graph, tasks },
    decisions: [],
    plans: ['first', 'second', 'third'].map(task => ({ ...plan, task })),
    template: null,
  })
  const worker = randomUUID()
  const claims = openClaims()
  const records = new MissionRecords()
  const claim = (task: string, more: Payload = {}) => {
    const shop = {
      store,
      worker,
      returnsOf: (role: string) => returnsOf(role as 'worker'),
      promptFor: async () => {
        return {
          ...exampleOf('prompt-package.v1'),
          mission_id: mission,
          task_id: task,
          ...more,
        }
      },
    } as unknown as WorkerContext
    const attempt = { tenant: 'acme', mission, task, attempt: 1 }
    return claims.ask({ attempt, shop, records })
  }
  const found = () =>
    store.tenant('acme', async tx => {
      const tasks = await Promise.all(
        ['first', 'second', 'third'].map(task => readTask(tx, mission, task)),
      )
      const prompts = await listArtifacts(tx, 'prompt_package', mission)
      return {
        states: tasks.map(task => task?.state),
        prompted: prompts.map(({ payload }) => payload?.task_id),
      }
    })
  return { claim, found }
}

const REFUSED = { producer: '' }
const CLAIMED = ['running', 'running', 'running']

test('the prompts of a task are stored with its claim; where they are not taken it is claimed all the same', async () => {
  const { claim, found } = await threeTasks()
  const first = await claim('first')
  expect(first?.ready).toMatchObject({ assignment: { prompt: { task_id: 'first' } } })
  const second = await claim('second')
  expect(second?.ready).toMatchObject({ problem: { code: 'conflict' } })
  const third = await claim('third', REFUSED)
  expect(third?.ready).toMatchObject({ problem: expect.anything() })
  expect(await found()).toEqual({ states: CLAIMED, prompted: ['first'] })
})

test('of tasks that are claimed together none pays for the prompts of another', async () => {
  const { claim, found } = await threeTasks()
  const [first, second, third] = await Promise.all([
    claim('first'),
    claim('second', { package_id: 'pkg_another' }),
    claim('third', REFUSED),
  ])
  expect(first?.ready).toMatchObject({ assignment: { prompt: { task_id: 'first' } } })
  expect(second?.ready).toMatchObject({ assignment: { prompt: { task_id: 'second' } } })
  expect(third?.ready).toMatchObject({ problem: expect.anything() })
  const { states, prompted } = await found()
  expect(states).toEqual(CLAIMED)
  expect(prompted.toSorted()).toEqual(['first', 'second'])
})

test('where two that are claimed together want one id, one has it', async () => {
  const { claim, found } = await threeTasks()
  const claimed = await Promise.all([claim('first'), claim('second')])
  const problems = claimed.filter(one => one && 'problem' in one.ready)
  expect(problems).toMatchObject([{ ready: { problem: { code: 'conflict' } } }])
  const { states, prompted } = await found()
  expect(states).toEqual(['running', 'running', 'queued'])
  expect(prompted).toHaveLength(1)
})
