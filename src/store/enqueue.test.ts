import { randomUUID } from 'node:crypto'
import { DBOS } from '@dbos-inc/dbos-sdk'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Database, openDatabase } from '../../test/database.ts'
import { comesTrue } from '../../test/processes.ts'
import { connectRaw, type Raw } from '../../test/raw-sql.ts'
import { APPLICATION, DURABLE, type Tx, urlInRole } from './index.ts'

let database: Database
let owner: Raw
let application: Raw
const ran: unknown[][] = []
beforeAll(async () => {
  database = await openDatabase()
  owner = await connectRaw(database.url)
  application = await connectRaw(urlInRole(database.url, APPLICATION))
})
afterAll(async () => {
  await application?.end()
  await owner?.end()
  await database?.remove()
})

const mission = randomUUID()
const enqueue = (tx: Tx, task: string, attempt = 1, delay = 0) =>
  sql<{
    id: string
  }>`select waybill.enqueue_task(${mission}, ${task}, ${attempt}, ${delay}) as id`.execute(tx)
const workflows = () =>
  owner.rows(
    undefined,
    'select workflow_uuid as id, status, name, queue_name from dbos.workflow_status order by created_at',
  )

describe('enqueueing', () => {
  test('happens with the transaction, or not at all', async () => {
    const { store } = database
    const failing = store.tenant('acme', async tx => {
      await enqueue(tx, 'lost')
      throw new RangeError('rolled back')
    })
    await expect(failing).rejects.toThrow('rolled back')
    expect(await workflows()).toEqual([])
    await store.tenant('acme', tx => enqueue(tx, 'first'))
    expect(await workflows()).toEqual([
      {
        id: JSON.stringify(['acme', mission, 'first', 1]).replaceAll(',', ', '),
        status: 'ENQUEUED',
        name: 'task',
        queue_name: 'tasks',
      },
    ])
  })

  test('twice is once, and another attempt, task or tenant is another', async () => {
    const { store } = database
    const before = (await workflows()).length
    for (let i = 0; i < 3; i++) await store.tenant('acme', tx => enqueue(tx, 'first'))
    expect(await workflows()).toHaveLength(before)
    await store.tenant('acme', tx => enqueue(tx, 'first', 2))
    await store.tenant('acme', tx => enqueue(tx, 'second'))
    await store.tenant('other', tx => enqueue(tx, 'first'))
    // Names that would run into each other if they were only put together.
    await store.tenant('a', tx => enqueue(tx, 'b", "c'))
    await store.tenant('a", "b', tx => enqueue(tx, 'c'))
    expect(await workflows()).toHaveLength(before + 5)
  })

  test('is taken back by its own tenant alone, and only what no worker has taken', async () => {
    const { store } = database
    const dequeue = async (tenant: string) => {
      const [{ taken } = {}] = await application.rows(
        tenant,
        "select waybill.dequeue_tasks($1, '{gone,later,taken}', '{1,2,3}') as taken",
        [mission],
      )
      return taken
    }
    await store.tenant('acme', async tx => {
      await enqueue(tx, 'gone', 1)
      await enqueue(tx, 'gone', 2)
      await enqueue(tx, 'later', 2, 600_000)
      await enqueue(tx, 'taken', 3)
    })
    const taken = JSON.stringify(['acme', mission, 'taken', 3]).replaceAll(',', ', ')
    const set = (status: string) =>
      owner.rows(
        undefined,
        'update dbos.workflow_status set status = $1 where workflow_uuid = $2 returning 1',
        [status, taken],
      )
    await set('PENDING')
    expect(await dequeue('other')).toBe(0)
    expect(await dequeue('acme')).toBe(2)
    expect(await dequeue('acme')).toBe(0)
    const states = Object.fromEntries(
      (await workflows()).map(({ id, status }) => [JSON.parse(String(id)).slice(2).join(), status]),
    )
    expect(states).toMatchObject({
      ...{ 'gone,1': 'CANCELLED', 'gone,2': 'ENQUEUED' },
      ...{ 'later,2': 'CANCELLED', 'taken,3': 'PENDING' },
    })
    await set('SUCCESS')
    expect(
      await application.refusal(undefined, "select waybill.dequeue_tasks($1, '{}', '{}')", [
        mission,
      ]),
    ).toMatchObject({ code: '22004' })
  })

  test('needs a tenant, a task and an attempt', async () => {
    for (const tenant of [undefined, ''])
      expect(
        await application.refusal(tenant, "select waybill.enqueue_task($1, 'first', 1)", [mission]),
      ).toMatchObject({ code: '22004' })
    for (const missing of [
      "null, 'first', 1",
      `'${mission}', null, 1`,
      `'${mission}', 'first', null`,
    ])
      expect(
        await application.refusal('acme', `select waybill.enqueue_task(${missing})`),
      ).toMatchObject({ code: '22004' })
  })

  test('gives the application no other right: it can neither read nor count what others enqueued', async () => {
    for (const statement of [
      'select count(*) from dbos.workflow_status',
      'select * from dbos.workflow_input',
      "insert into dbos.workflow_status (workflow_uuid) values ('x')",
      "update dbos.workflow_status set status = 'CANCELLED'",
      "select dbos.enqueue_workflow('task', 'tasks')",
      `set role ${DURABLE}; alter function waybill.enqueue_task(uuid, text, integer, bigint) security invoker`,
    ])
      expect(await application.refusal('acme', statement), statement).toMatchObject({
        code: '42501',
      })
    const [{ owner: of } = {}] = await owner.rows(
      undefined,
      "select proowner::regrole::text as owner from pg_proc where proname = 'enqueue_task'",
    )
    expect(of).toBe(DURABLE)
  })

  test('what shadows a type in the search path does nothing in the role of the queue', async () => {
    const { client } = application
    const seen: string[] = []
    const hear = ({ message = '' }) => void seen.push(message)
    client.on('notice', hear)
    // A domain may check what is put into it by a function of its author.
    await client.query(`
      create function pg_temp.peek(value pg_catalog.text) returns boolean language plpgsql as
        $$begin raise notice '%', current_user; return true; end$$;
      create domain pg_temp.text as pg_catalog.text check (pg_temp.peek(value));
      set search_path = pg_temp, pg_catalog`)
    await application.rows('acme', "select 'itself'::text")
    const calls = [
      "waybill.enqueue_task($1::uuid, 'peeked', 1)",
      "waybill.dequeue_tasks($1::uuid, '{peeked}', '{1}')",
    ]
    for (const call of calls) await application.rows('acme', `select ${call}`, [mission])
    client.off('notice', hear)
    await client.query('drop domain pg_temp.text; reset search_path')
    expect([...new Set(seen)]).toEqual([APPLICATION])
  })

  test('what is shadowed in the search path is not called', async () => {
    await application.client.query('set search_path = pg_temp, public')
    expect(
      await application.rows('acme', "select waybill.enqueue_task($1, 'shadowed', 1) as id", [
        mission,
      ]),
    ).toHaveLength(1)
    await application.client.query('reset search_path')
  })
})

describe('a worker in the role of the queue', () => {
  beforeAll(async () => {
    DBOS.setConfig({
      name: 'store-test',
      systemDatabaseUrl: urlInRole(database.url, DURABLE),
      applicationVersion: '1',
      executorID: randomUUID(),
      logLevel: 'error',
      runMigrations: false,
    })
    DBOS.registerWorkflow(async (...args: unknown[]) => void ran.push(args), { name: 'task' })
    await DBOS.launch()
    await DBOS.registerQueue('tasks', { minPollingIntervalMs: 20 })
  })
  afterAll(async () => {
    await DBOS.shutdown()
  })

  const until = async (task: string) => {
    await comesTrue(() => ran.some(args => args[2] === task))
    return ran.filter(args => args[2] === task)
  }

  test('takes what the application enqueues, with tenant, mission, task and attempt', async () => {
    await database.store.tenant('acme', tx => enqueue(tx, 'third', 7))
    expect(await until('third')).toEqual([['acme', mission, 'third', 7]])
    expect(await until('first')).toEqual(
      expect.arrayContaining([
        ['acme', mission, 'first', 1],
        ['other', mission, 'first', 1],
      ]),
    )
  })

  test('takes what is delayed no earlier', async () => {
    const start = Date.now()
    await database.store.tenant('acme', tx => enqueue(tx, 'later', 1, 1_500))
    expect(await until('later')).toEqual([['acme', mission, 'later', 1]])
    expect(Date.now() - start).toBeGreaterThanOrEqual(1_500)
  })
})
