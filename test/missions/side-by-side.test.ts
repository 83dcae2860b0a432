import { randomUUID } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { migrateApart } from '../migrating.ts'
import { expectBriefOnce, expectSoundLog, withRaw } from '../mission-facts.ts'
import { envelopeOf, graphOf } from '../mission-payloads.ts'
import {
  HEAD,
  type MissionRepository,
  openMissionRepository,
  type RunningWorker,
  task,
} from '../mission-repository.ts'
import { comesTrue } from '../processes.ts'
import type { Raw } from '../raw-sql.ts'

let repository: MissionRepository
beforeAll(async () => {
  repository = await openMissionRepository()
})
afterAll(() => repository?.remove())

test('of processes that submit the same mission at once, one begins it', async () => {
  const id = randomUUID()
  repository.write('envelope.json', JSON.stringify(envelopeOf(id, 'default')))
  const graph = graphOf(id, { first: [], second: ['first'] })
  const tasks = (graph.tasks as object[]).map(one => ({ ...one, role_type: 'worker' }))
  repository.write('graph.json', JSON.stringify({ ...graph, tasks }))
  const args = ['submit', '--envelope', 'envelope.json', '--graph', 'graph.json']
  const ran = await Promise.all([1, 2, 3].map(() => repository.mission(...args)))
  expect(
    ran.filter(({ code }) => code === 0),
    JSON.stringify(ran),
  ).toHaveLength(1)
  for (const { code, err } of ran)
    if (code !== 0) expect(err).toContain(`the mission ${id} was already submitted`)
  const status = await repository.peek(id)
  expect(status.state).toBe('running')
  expect(status.tasks.map(({ state, attempt }) => [state, attempt])).toEqual([
    ['queued', 1],
    ['blocked', 0],
  ])
  expect((await repository.mission('cancel', id)).code).toBe(0)
})

test('the missions of two tenants are done by one worker, and neither sees the other', async () => {
  const worker = await repository.worker()
  const tenants = ['default', 'acme']
  const missions = await Promise.all(tenants.map(tenant => repository.begin('brief', { tenant })))
  const [mine = '', theirs = ''] = missions
  await expectBriefOnce(repository, mine, await repository.reaches(mine, 'finished', 'failed'))
  const stateOfTheirs = async () => (await repository.peek(theirs, 'acme')).state
  await comesTrue(async () => (await stateOfTheirs()) !== 'running', 120_000)
  expect(await stateOfTheirs()).toBe('finished')
  await expect(repository.peek(theirs)).rejects.toMatchObject({ code: 'not-found' })
  await expect(repository.peek(mine, 'acme')).rejects.toMatchObject({ code: 'not-found' })
  await worker.stop()
})

test('each worker does as many tasks at once as it was given, whatever later ones were given', async () => {
  const names = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h']
  const tasks = names.map(name => task(name, 'worker', [], 'HOLD go')).join('')
  repository.write('missions/templates/held.yaml', `${HEAD}${tasks}`)
  repository.commit()
  const mission = await repository.begin('held')
  const given = [1, 3, 1]
  const workers: RunningWorker[] = []
  for (const concurrency of given) workers.push(await repository.worker({ concurrency }))
  await withRaw(repository.database.url, async raw => {
    const running = async () => {
      const rows = await raw.rows(
        'default',
        "select pid, count(*)::integer as n from waybill.task_runs join waybill.workers using (worker_id) where state = 'running' group by pid",
      )
      return workers.map(({ pid }) => rows.find(row => row.pid === pid)?.n ?? 0)
    }
    const isFull = async () => (await running()).every((n, i) => n === given[i])
    expect(await comesTrue(isFull, 60_000)).toBe(true)
    // The engine looks every second at what is said of queues in the database.
    await pause(2_500)
    expect(await running()).toEqual(given)
  })
  repository.write('go', '')
  await repository.reaches(mission, 'finished')
  for (const worker of workers) await worker.stop()
})

test.each([
  ['an hour behind', -3_600_000],
  ['an hour ahead', 3_600_000],
])('a worker whose clock is %s loses nothing', async (_, clock) => {
  const workers = [await repository.worker({ clock }), await repository.worker()]
  const missions = await Promise.all([1, 2, 3].map(() => repository.begin('brief')))
  for (const mission of missions)
    await expectBriefOnce(
      repository,
      mission,
      await repository.reaches(mission, 'finished', 'failed'),
    )
  for (const worker of workers) await worker.stop()
  await expectSoundLog(repository)
})

/** Alters all tables in one transaction, as a migration may; false where others went first. */
async function alterAll({ client }: Raw): Promise<boolean> {
  try {
    await client.query('begin')
    const { rows } = await client.query(
      `select format('alter table waybill.%I add column later text', relname) as sql from pg_class
       where relnamespace = 'waybill'::regnamespace and relkind = 'r'`,
    )
    for (const { sql } of rows) await client.query(sql)
    await client.query('select pg_sleep(6)')
    await client.query('commit')
    return true
  } catch (error) {
    expect(error).toMatchObject({ code: '40P01' })
    return false
  }
}

test('a migration that holds every table for a while amid missions only takes its time', async () => {
  for (let i = 0; i < 2; i++) await repository.worker()
  const missions = await Promise.all([1, 2, 3].map(() => repository.begin('brief')))
  const { url } = repository.database
  expect(await comesTrue(() => withRaw(url, alterAll), 120_000)).toBe(true)
  expect(await migrateApart(url)).toEqual([])
  for (const mission of missions)
    await expectBriefOnce(
      repository,
      mission,
      await repository.reaches(mission, 'finished', 'failed'),
    )
  await withRaw(url, async raw => {
    const lost = 'select count(*)::integer as n from waybill.task_runs where losses + failures > 0'
    expect(await raw.rows('default', lost)).toEqual([{ n: 0 }])
  })
})
