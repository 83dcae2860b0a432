import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Database, openDatabase } from '../../../test/database.ts'
import { envelopeOf, graphOf } from '../../../test/mission-payloads.ts'
import { claimTask, readTask } from '../../store/index.ts'
import { submitMission } from './submit.ts'
import { takeOver } from './take-over.ts'

let database: Database
beforeAll(async () => {
  database = await openDatabase()
}, 120_000)
afterAll(() => database?.remove(), 60_000)

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
}, 60_000)
