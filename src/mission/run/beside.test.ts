import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Database, openDatabase } from '../../../test/database.ts'
import { withRaw } from '../../../test/mission-facts.ts'
import { envelopeOf, graphOf } from '../../../test/mission-payloads.ts'
import { comesTrue } from '../../../test/processes.ts'
import { claimTask, readRun, readTask, type Tx } from '../../store/index.ts'
import {
  cancelMission,
  pauseMission,
  refuseBeside,
  resumeMission,
  retryMission,
} from './control.ts'
import { endAttempt, NOTHING } from './endings.ts'
import { submitMission } from './submit.ts'

let database: Database
beforeAll(async () => {
  database = await openDatabase()
})
afterAll(() => database?.remove())

const tenant = 'acme'
const plan = { task: 'only', agent: 'a', prompt: null, retries: { limit: 0, first: 1, longest: 1 } }

/** Begins a mission of one task, made of an orchestration file. */
async function begin(file: string, more: object = {}): Promise<string> {
  const mission = randomUUID()
  const context_refs = { orchestration: file, installation: 'one', ...more }
  await submitMission(database.store, {
    envelope: envelopeOf(mission, tenant, { mission_type: 'pipeline', context_refs }),
    graph: graphOf(mission, { only: [] }),
    decisions: [],
    plans: [plan],
    template: null,
  })
  return mission
}

const within = <T>(work: (tx: Tx) => Promise<T>) => database.store.tenant(tenant, work)
const stateOf = async (mission: string) => (await within(tx => readRun(tx, mission)))?.state
const change = (mission: string, how: typeof pauseMission) =>
  how(database.store, { tenant, mission })

async function fail(mission: string): Promise<void> {
  const worker = randomUUID()
  const reason = { code: 'mission/runner-failed', message: 'it ended with 1' }
  await within(async tx => {
    const attempt = (await readTask(tx, mission, 'only'))?.attempt ?? 0
    await claimTask(tx, { mission, task: 'only', attempt, worker })
    const task = await readTask(tx, mission, 'only')
    if (!task) throw new Error('there is no such task')
    const leaving = {
      attempt: { tenant, mission, task: 'only', attempt },
      task,
      worker,
      handoff: null,
    }
    await endAttempt(tx, leaving, { is: 'failed', reason, mayRetry: false, usage: NOTHING })
  })
  expect(await stateOf(mission)).toBe('failed')
}

const refused = (other: string, is: string) => ({
  code: 'conflict',
  message: expect.stringContaining(`the mission ${other}, which ${is}`),
  hint: expect.stringContaining(`waybill mission cancel ${other}`),
})

test('no mission begins, goes on or is tried again while another works on its file, or is paused', async () => {
  const file = 'a/ORCHESTRATION.yaml'
  const failed = await begin(file)
  await fail(failed)
  const second = await begin(file, { workflow: 'another' })
  for (const is of ['is running', 'is paused']) {
    if (is === 'is paused') await change(second, pauseMission)
    await expect(begin(file)).rejects.toMatchObject(refused(second, is))
    await expect(change(failed, retryMission)).rejects.toMatchObject(refused(second, is))
    expect(await stateOf(failed)).toBe('failed')
  }
  await change(second, resumeMission)
  await cancelMission(database.store, { tenant, mission: second }, 'enough')
  await change(failed, retryMission)
  expect(await stateOf(failed)).toBe('running')
})

test('a mission that is paused stays so while another of its file is not over', async () => {
  const file = 'b/ORCHESTRATION.yaml'
  const paused = await begin(file)
  await change(paused, pauseMission)
  // As from a bundle, or from a time without this check.
  const other = await begin('elsewhere.yaml')
  await withRaw(database.url, async ({ client }) => {
    await client.query('alter table waybill.colony_missions disable trigger user')
    await client.query(
      `update waybill.colony_missions set payload = jsonb_set(payload, '{context_refs,orchestration}', to_jsonb($2::text))
        where mission_id = $1`,
      [other, file],
    )
    await client.query('alter table waybill.colony_missions enable trigger user')
  })
  await expect(change(paused, resumeMission)).rejects.toMatchObject(refused(other, 'is running'))
  expect(await stateOf(paused)).toBe('paused')
  await fail(other)
  await change(paused, resumeMission)
  expect(await stateOf(paused)).toBe('running')
})

test('a file of another path, another worktree or another repository is another file', async () => {
  const first = await begin('c/ORCHESTRATION.yaml', { worktree: '' })
  expect(await stateOf(await begin('c/ORCHESTRATION.yaml', { worktree: '../other' }))).toBe(
    'running',
  )
  // Missions of earlier versions do not say in which worktree they were begun.
  await expect(begin('c/ORCHESTRATION.yaml')).rejects.toMatchObject({ code: 'conflict' })
  await fail(first)
  expect(await stateOf(await begin('d/ORCHESTRATION.yaml'))).toBe('running')
  expect(await stateOf(await begin('c/ORCHESTRATION.yaml', { installation: 'two' }))).toBe(
    'running',
  )
})

test('of two that are to go on in one file at the same moment, the second waits for the first, and is refused', async () => {
  const file = 'e/ORCHESTRATION.yaml'
  const first = await begin(file)
  await fail(first)
  const second = await begin(file)
  await fail(second)
  let trying: Promise<unknown> = Promise.resolve()
  await within(async tx => {
    await refuseBeside(tx, { tenant, mission: first })
    trying = change(second, retryMission).catch(error => error)
    const waits = `select from pg_locks join pg_database on oid = database
      where locktype = 'advisory' and not granted and datname = current_database()`
    const isWaiting = () =>
      withRaw(database.url, async raw => (await raw.rows(undefined, waits)).length > 0)
    expect(await comesTrue(isWaiting, 60_000)).toBe(true)
    await tx
      .updateTable('mission_runs')
      .set({ state: 'running' })
      .where('mission_id', '=', first)
      .execute()
  })
  expect(await trying).toMatchObject(refused(first, 'is running'))
  expect(await stateOf(second)).toBe('failed')
})
