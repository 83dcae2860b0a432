import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Database, openDatabase } from '../../../test/database.ts'
import { envelopeOf, exampleOf, graphOf } from '../../../test/mission-payloads.ts'
import { claimTask, listArtifacts, readTask } from '../../store/index.ts'
import { returnsOf } from '../plan/returns.ts'
import type { Payload } from '../runner.ts'
import { claim as claimWith } from './claim.ts'
import { MissionRecords } from './record.ts'
import { submitMission } from './submit.ts'
import { takeOver } from './take-over.ts'
import type { Workshop } from './workshop.ts'

let database: Database
beforeAll(async () => {
  database = await openDatabase()
})
afterAll(() => database?.remove())

const plan = { agent: 'a', prompt: null, retries: { limit: 0, first: 1, longest: 1 } }

test('who has claimed a task may ask again, for he may not have heard the answer; nobody else may', async () => {
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

/** Claims the first attempt at a task, whose prompts are made by the way. */
function claimWithPrompts(mission: string, task: string, prompts: Payload) {
  const { store } = database
  const shop = {
    store,
    worker: randomUUID(),
    returnsOf: (role: string) => returnsOf(role as 'worker'),
    promptFor: async () => prompts,
  } as unknown as Workshop
  const attempt = { tenant: 'acme', mission, task, attempt: 1 }
  return claimWith({ attempt, shop, records: new MissionRecords() })
}

test('the prompts of a task are stored with its claim; where they are not taken it is claimed all the same', async () => {
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
  const packageOf = (task_id: string, more = {}) => {
    return { ...exampleOf('prompt-package.v1'), mission_id: mission, task_id, ...more }
  }
  const first = await claimWithPrompts(mission, 'first', packageOf('first'))
  expect(first?.ready).toMatchObject({ assignment: { prompt: { task_id: 'first' } } })
  // Its id is taken, or the database does not take it.
  const second = await claimWithPrompts(mission, 'second', packageOf('second'))
  expect(second?.ready).toMatchObject({ problem: { code: 'conflict' } })
  const third = await claimWithPrompts(mission, 'third', packageOf('third', { producer: '' }))
  expect(third?.ready).toMatchObject({ problem: expect.anything() })
  await store.tenant('acme', async tx => {
    for (const task of ['first', 'second', 'third'])
      expect(await readTask(tx, mission, task)).toMatchObject({ state: 'running', attempt: 1 })
    const stored = await listArtifacts(tx, 'prompt_package', mission)
    expect(stored.map(({ payload }) => payload?.task_id)).toEqual(['first'])
  })
})
