import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Database } from '../../test/database.ts'
import { digestOf, insertionOf, type Payload } from '../../test/mission-payloads.ts'
import type { Raw } from '../../test/raw-sql.ts'
import { openTwoTenants, SECRET, TENANT_TABLES, type TwoTenants } from '../../test/two-tenants.ts'
import { readArtifact } from './index.ts'

let tenants: TwoTenants
let database: Database
let owner: Raw
let intruder: Raw
let mission: string
let others: string
let result: Payload
beforeAll(async () => {
  tenants = await openTwoTenants()
  ;({ database, owner, intruder, mission, others, result } = tenants)
})
afterAll(async () => {
  await tenants?.remove()
})

describe('with the password of the application', () => {
  test('a function that tells what it sees is shown no row of another tenant', async () => {
    const { client } = intruder
    const seen: string[] = []
    client.on('notice', notice => seen.push(String(notice.message)))
    await client.query(`create or replace function pg_temp.peek(value text) returns boolean
      language plpgsql cost 0.0000001 as $$ begin raise notice '%', value; return true; end $$`)
    await intruder.rows(
      'other',
      'select * from waybill.colony_worker_results where pg_temp.peek(payload::text)',
    )
    await intruder.rows(
      'other',
      'select * from waybill.colony_missions where pg_temp.peek(tenant_id)',
    )
    expect(seen).toEqual(['other'])
  })

  test.each([
    ...['set role postgres', 'set role waybill_durable', 'set session authorization postgres'],
    ...[
      'alter role waybill_app bypassrls',
      'alter role waybill_app superuser',
      'grant waybill_durable to waybill_app',
    ],
    ...[
      'alter table waybill.colony_missions disable row level security',
      'alter table waybill.colony_missions no force row level security',
    ],
    ...[
      'drop policy own_tenant on waybill.colony_missions',
      'create policy mine on waybill.colony_missions using (true)',
    ],
    ...[
      'alter table waybill.colony_missions disable trigger all',
      'set session_replication_role = replica',
    ],
    ...[
      'create view waybill.seen as select * from waybill.colony_missions',
      'create schema mine',
      'create table public.mine (a text)',
    ],
    ...[
      'create temp table mine (t text, m uuid, foreign key (t, m) references waybill.colony_missions)',
    ],
    ...[
      'select * from waybill.tenants',
      'select * from waybill.migrations',
      "copy waybill.colony_missions to program 'cat'",
    ],
    ...[
      "select pg_read_file('PG_VERSION')",
      "select lo_export(1, '/tmp/x')",
      'select * from pg_authid',
      'select * from pg_statistic',
    ],
    ...[
      'select * from waybill.colony_missions for update',
      'lock table waybill.colony_missions in share mode',
    ],
    ...[
      "select setval('waybill.any', 1)",
      'select * from dbos.workflow_status',
      'select * from dbos.workflow_input',
    ],
    ...[
      "select dbos.enqueue_workflow('task', 'tasks')",
      'alter function waybill.is_worker_result(jsonb) volatile',
    ],
    ...[
      'create or replace function waybill.is_worker_result(payload jsonb) returns boolean language sql immutable return true',
    ],
  ])('is refused: %s', async sql => {
    expect((await intruder.refusal('other', sql))?.code).toMatch(
      /^(?:42501|42P01|42P16|22023|42704)$/,
    )
  })

  test('row security that is switched off gives an error and no rows', async () => {
    await intruder.client.query('set row_security = off')
    expect(await intruder.refusal('other', 'select * from waybill.colony_missions')).toMatchObject({
      code: '42501',
    })
    await intruder.client.query('reset row_security')
  })

  test('what shadows an operator in the search path does not get past a check', async () => {
    const faulty = { ...result, mission_id: others, confidence: 7 }
    const [sql, values] = insertionOf('worker_result', faulty, 'other')
    await intruder.client.query('set search_path = pg_temp, waybill')
    expect(await intruder.refusal('other', sql, values)).toMatchObject({ code: '23514' })
    await intruder.client.query('reset search_path')
  })

  test('no function looks for anything in the search path of its caller', async () => {
    const ours = `select proname as name, prosecdef as as_owner, proconfig as settings from pg_proc
      where pronamespace = 'waybill'::regnamespace`
    const functions = await owner.rows(undefined, ours)
    expect(functions.filter(one => one.as_owner).length).toBeGreaterThan(5)
    const open = functions.filter(({ settings }) => !(settings as string[] | null)?.includes(PATH))
    expect(open.map(({ name }) => name)).toEqual([])
  })

  test('statistics hold no values of other tenants, and there is no sequence to count by', async () => {
    await owner.client.query('analyze')
    const tables = TENANT_TABLES.map(table => `'${table}'`).join()
    const stats = `select * from pg_stats where schemaname = 'waybill' and tablename in (${tables})`
    const [{ n } = {}] = await owner.rows(
      undefined,
      `select count(*)::integer as n from (${stats}) as s`,
    )
    expect(n).toBeGreaterThan(20)
    expect(await intruder.rows('other', stats)).toEqual([])
    expect(
      await intruder.rows('other', "select * from pg_stats_ext where schemaname = 'waybill'"),
    ).toEqual([])
    const sequences =
      "select relname from pg_class where relkind = 'S' and relnamespace = 'waybill'::regnamespace"
    expect(await owner.rows(undefined, sequences)).toEqual([])
  })

  test('what others ask is not shown with its values', async () => {
    await database.store.tenant('acme', async tx => {
      await readArtifact(tx, 'worker_result', mission, SECRET)
      const activity = await intruder.rows('other', 'select query from pg_stat_activity')
      expect(JSON.stringify(activity)).not.toContain(SECRET)
    })
  })

  test('an error repeats nothing of other tenants', async () => {
    const [sql] = insertionOf('worker_result', result, 'other')
    for (const payload of ['{}', 'null', JSON.stringify(result), '{"mission_id": "x"}']) {
      const refusal = await intruder.refusal('other', sql, ['other', digestOf(1), payload])
      expect(refusal?.code).toBeDefined()
      expect(refusal?.message).not.toContain(SECRET)
    }
  })
})

describe('the role of the queue', () => {
  test('has no right in the schema of the store', async () => {
    await owner.client.query('set role waybill_durable')
    try {
      for (const table of [...TENANT_TABLES, 'tenants'])
        expect(await owner.refusal('acme', `select * from waybill.${table}`)).toMatchObject({
          code: '42501',
        })
      expect(await owner.refusal('acme', 'create table waybill.mine (a text)')).toMatchObject({
        code: '42501',
      })
    } finally {
      await owner.client.query('reset role')
    }
  })
})

const PATH = 'search_path=pg_catalog, pg_temp'
