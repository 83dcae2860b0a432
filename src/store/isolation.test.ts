import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Database } from '../../test/database.ts'
import {
  CONTRACTS,
  envelopeOf,
  exampleOf,
  graphOf,
  insertionOf,
  type Payload,
} from '../../test/mission-payloads.ts'
import type { Raw } from '../../test/raw-sql.ts'
import {
  openTwoTenants,
  RUN_TABLES,
  runInsertion,
  SECRET,
  TENANT_TABLES,
  type TwoTenants,
} from '../../test/two-tenants.ts'
import { artifactTables } from './artifact-tables.generated.ts'
import { insertArtifact, listArtifacts, readArtifact } from './index.ts'

let tenants: TwoTenants
let database: Database
let intruder: Raw
let mission: string
let others: string
let result: Payload
beforeAll(async () => {
  tenants = await openTwoTenants()
  ;({ database, intruder, mission, others, result } = tenants)
})
afterAll(async () => {
  await tenants?.remove()
})

describe('every operation of the store', () => {
  test('finds nothing of another tenant', async () => {
    const { store } = database
    expect(
      await store.tenant('acme', tx => listArtifacts(tx, 'worker_result', mission)),
    ).toHaveLength(1)
    await store.tenant('other', async tx => {
      for (const { name } of CONTRACTS) expect(await listArtifacts(tx, name, mission)).toEqual([])
      expect(await readArtifact(tx, 'worker_result', mission, 'wrk_001')).toBeUndefined()
      expect(await readArtifact(tx, 'mission_envelope', mission, mission)).toBeUndefined()
    })
  })

  test('cannot add to the mission of another tenant, though it knows its id', async () => {
    const add = database.store.tenant('other', tx => insertArtifact(tx, result))
    await expect(add).rejects.toMatchObject({ code: 'not-found' })
  })

  test('may have the same ids as another tenant, whom it does not meet', async () => {
    const { store } = database
    expect(
      await store.tenant('third', tx => insertArtifact(tx, envelopeOf(mission, 'third'))),
    ).toMatchObject({ isNew: true })
    await store.tenant('third', tx => insertArtifact(tx, graphOf(mission, { first: [] })))
    expect(
      await store.tenant('third', tx => insertArtifact(tx, { ...result, output_text: 'x' })),
    ).toMatchObject({ isNew: true })
    const mine = await store.tenant('acme', tx =>
      readArtifact(tx, 'worker_result', mission, 'wrk_001'),
    )
    expect(mine?.payload?.output_text).toBe(SECRET)
  })

  test.each(["'", '\\', "'; select 1; --", 'ü "%s" $1', ' '])(
    'takes %s for a name and for nothing else',
    async name => {
      const id = randomUUID()
      const { store } = database
      await store.tenant(name, tx => insertArtifact(tx, envelopeOf(id, name)))
      expect(
        await store.tenant(name, tx => listArtifacts(tx, 'mission_envelope', id)),
      ).toHaveLength(1)
      expect(
        await store.tenant('other', tx => listArtifacts(tx, 'mission_envelope', id)),
      ).toHaveLength(0)
    },
  )

  test('is refused to a tenant without a name', async () => {
    await expect(database.store.tenant('', async () => 1)).rejects.toMatchObject({ code: 'usage' })
  })
})

describe('with the password of the application', () => {
  test.each(TENANT_TABLES)(
    '%s shows each tenant its own rows, and nothing without a tenant',
    async table => {
      const count = (tenant?: string) =>
        intruder.rows(
          tenant,
          `select count(*)::integer as n, string_agg(t::text, ' ') as all from waybill.${table} as t`,
        )
      const [acme = {}] = await count('acme')
      expect(acme.n).toBeGreaterThan(0)
      expect(String(acme.all)).not.toContain(others)
      for (const none of [undefined, '', 'nobody'])
        expect(await count(none)).toEqual([{ n: 0, all: null }])
      const [other = {}] = await count('other')
      expect(String(other.all)).not.toContain(mission)
    },
  )

  test('a setting for the session is forgotten with its transaction when it was made in one', async () => {
    await intruder.rows('acme', 'select 1')
    expect(
      await intruder.client.query("select current_setting('waybill.tenant', true) as tenant"),
    ).toMatchObject({ rows: [{ tenant: '' }] })
    expect(await intruder.rows(undefined, 'select * from waybill.colony_missions')).toEqual([])
  })

  test.each(CONTRACTS)('a $name cannot be written for another tenant', async ({ name, id }) => {
    const payload =
      name === 'mission_envelope'
        ? envelopeOf(randomUUID(), 'acme')
        : { ...exampleOf(id), mission_id: mission }
    const [sql, values] = insertionOf(name, payload, 'acme')
    // The same answer whether the id is free, taken, or its mission or task is missing.
    for (const tenant of [undefined, '', 'other']) {
      expect(await intruder.refusal(tenant, sql, values)).toEqual({
        code: '42501',
        message: `new row violates row-level security policy for table "${artifactTables[name].table}"`,
        detail: '',
      })
    }
  })

  test.each(RUN_TABLES)(
    'a row of %s cannot be written for, taken from or changed with another tenant',
    async table => {
      const [sql, values] = runInsertion(table, 'acme', mission)
      for (const tenant of [undefined, '', 'other'])
        expect(await intruder.refusal(tenant, sql, values)).toMatchObject({
          code: '42501',
          detail: '',
        })
      // Where nothing may be changed at all, the refusal is the same for rows that are there and for those that are not.
      const asked = (statement: string) => async (id: string) => {
        const refusal = await intruder.refusal('other', `${statement} where mission_id = $1`, [id])
        return (
          refusal ??
          (await intruder.rows('other', `${statement} where mission_id = $1 returning 1`, [id]))
        )
      }
      for (const statement of [
        `update waybill.${table} set mission_id = mission_id`,
        `update waybill.${table} set tenant_id = 'other'`,
        `delete from waybill.${table}`,
      ])
        expect(await asked(statement)(mission), statement).toEqual(
          await asked(statement)(randomUUID()),
        )
      expect(await intruder.rows('acme', `select 1 from waybill.${table}`)).toHaveLength(1)
    },
  )

  test('a reference to what another tenant has is refused like one to what no tenant has', async () => {
    const refer = (mission_id: string, task_id: string) => {
      const [sql, values] = insertionOf(
        'worker_result',
        { ...result, mission_id, task_id },
        'other',
      )
      return intruder.refusal('other', sql, values)
    }
    const refusal = async (mission_id: string, task_id: string) => {
      const refusal = await refer(mission_id, task_id)
      return JSON.stringify(refusal).replaceAll(mission_id, 'MISSION').replaceAll(task_id, 'TASK')
    }
    expect(await refusal(mission, 'first')).toBe(await refusal(randomUUID(), 'nothing'))
    expect(await refusal(others, 'third')).toBe(await refusal(others, 'nothing'))
    expect(await refer(mission, 'first')).toMatchObject({ code: '23503' })
  })

  test('an id that another tenant has taken is free', async () => {
    const payload = { ...result, mission_id: others }
    expect(
      await intruder.refusal('other', ...insertionOf('worker_result', payload, 'other')),
    ).toBeUndefined()
    expect(
      await intruder.refusal(
        'other',
        ...insertionOf('mission_envelope', envelopeOf(mission, 'other'), 'other'),
      ),
    ).toBeUndefined()
  })

  test.each([
    ['on conflict', 'on conflict (tenant_id, mission_id, result_id) do nothing returning digest'],
    [
      'on conflict do update',
      'on conflict (tenant_id, mission_id, result_id) do update set digest = excluded.digest returning digest',
    ],
  ])('%s tells nothing of another tenant', async (_, words) => {
    const [sql, values] = insertionOf('worker_result', result, 'acme')
    expect(await intruder.refusal('other', `${sql} ${words}`, values)).toMatchObject({
      code: '42501',
    })
  })
})

test('every table that has a tenant keeps it in all keys, and row-level security in force for its owner too', async () => {
  const unkept = await tenants.owner.rows(
    undefined,
    `select relname from pg_class
     where relnamespace = 'waybill'::regnamespace and relkind in ('r', 'p') and relname <> 'tenants'
       and exists (select from pg_attribute where attrelid = pg_class.oid and attname = 'tenant_id')
       and (not relrowsecurity or not relforcerowsecurity
         or not exists (select from pg_policy where polrelid = pg_class.oid)
         or exists (select from pg_constraint
           where conrelid = pg_class.oid and contype in ('p', 'f', 'u') and conkey[1] <> (
             select attnum from pg_attribute where attrelid = conrelid and attname = 'tenant_id')))`,
  )
  expect(unkept).toEqual([])
})
