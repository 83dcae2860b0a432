import { randomBytes, randomUUID } from 'node:crypto'
import { afterEach, describe, expect, test } from 'vitest'
import { type Database, type DatabaseOptions, openDatabase } from '../../test/database.ts'
import { migrateApart } from '../../test/migrating.ts'
import { envelopeOf, insertionOf } from '../../test/mission-payloads.ts'
import { comesTrue } from '../../test/processes.ts'
import { connectRaw, type Raw } from '../../test/raw-sql.ts'
import { openRelay } from '../../test/relay.ts'
import { examineDatabase } from '../operations/doctor/database.ts'
import { insertArtifact, listArtifacts, openStore } from './index.ts'
import { migrateDatabase } from './migrate.ts'
import { migrations } from './migrations.generated.ts'

const NAMES = migrations.map(([name]) => name)
const opened: { end(): Promise<unknown> }[] = []
afterEach(async () => {
  for (const one of opened.splice(0).reverse()) await one.end()
})

async function newDatabase(options?: DatabaseOptions): Promise<Database> {
  const database = await openDatabase(options)
  opened.push({ end: database.remove })
  return database
}

async function emptyDatabase(): Promise<{ readonly url: string; readonly owner: Raw }> {
  const { url } = await newDatabase({ migrated: false })
  return { url, owner: await connect(url) }
}

async function connect(url: string): Promise<Raw> {
  const raw = await connectRaw(url)
  opened.push(raw)
  return raw
}

describe('migrations', () => {
  test('run once, in order, and then there is nothing left to do', async () => {
    const { url } = await emptyDatabase()
    expect(await migrateDatabase(url)).toEqual(NAMES)
    expect(await migrateDatabase(url)).toEqual([])
    expect(NAMES).toEqual(NAMES.toSorted())
    expect(NAMES.map(name => Number(name.slice(0, 4)))).toEqual(NAMES.map((_, i) => i + 1))
  })

  test('run once when eight processes start at once, and all of them can work afterwards', async () => {
    const { url, owner } = await emptyDatabase()
    const ran = await Promise.all(Array.from({ length: 8 }, () => migrateApart(url)))
    expect(ran.filter(names => names.length > 0)).toEqual([NAMES])
    expect(await owner.rows('acme', 'select mission_id from waybill.colony_missions')).toHaveLength(
      8,
    )
  })

  test('a stopped holder of the lock is waited for so long, and named', async () => {
    const { url, owner } = await emptyDatabase()
    await owner.client.query('select pg_advisory_lock(7246201846)')
    const { rows } = await owner.client.query('select pg_backend_pid() as pid')
    await expect(migrateDatabase(url, undefined, 200)).rejects.toMatchObject({
      code: 'store-unavailable',
      hint: expect.stringContaining(`select pg_terminate_backend(${rows[0].pid})`),
    })
    await owner.client.query('select pg_advisory_unlock(7246201846)')
    expect(await migrateDatabase(url)).toEqual(NAMES)
    // A migration with nothing left to do does not wait.
    await owner.client.query('select pg_advisory_lock(7246201846)')
    expect(await migrateDatabase(url, undefined, 200)).toEqual([])
  })

  test('of a newer version are left alone, and said to be newer', async () => {
    const { url } = await newDatabase()
    const owner = await connect(url)
    await owner.client.query("insert into waybill.migrations values ('9999-later', '2030-01-01')")
    await expect(migrateDatabase(url)).rejects.toMatchObject({
      code: 'configuration',
      message: expect.stringContaining('newer version'),
    })
  })

  test('that fail leave nothing behind', async () => {
    const { url, owner } = await emptyDatabase()
    await owner.client.query(
      'create schema waybill; create table waybill.colony_review_packets (a text)',
    )
    await expect(migrateDatabase(url)).rejects.toThrow('already exists')
    expect(
      await owner.rows(undefined, "select to_regclass('waybill.colony_missions') as made"),
    ).toEqual([{ made: null }])
    await owner.client.query('drop table waybill.colony_review_packets')
    expect(await migrateDatabase(url)).toEqual(NAMES)
  })

  test('begin again where the server ended them in favour of a user of the tables', async () => {
    const { url, owner } = await emptyDatabase()
    await migrateDatabase(url, '0016-runs')
    const database = url.split('/').at(-1)
    await owner.client.query(`alter database ${database} set deadlock_timeout = '5s'`)
    const other = await connect(url)
    await other.client.query(`set deadlock_timeout = '10min'; begin;
      lock table waybill.ledger_state in access share mode`)
    const migrating = migrateDatabase(url)
    const waiting =
      "select 1 from pg_locks where relation = 'waybill.ledger_state'::regclass and not granted"
    await comesTrue(async () => (await owner.rows(undefined, waiting)).length > 0)
    // Now each waits for the other, until the server ends the one that began to wait first.
    await other.client.query('lock table waybill.colony_writeback_proposals in row exclusive mode')
    await other.client.query('rollback')
    expect(await migrating).toEqual(NAMES.slice(NAMES.indexOf('0016-runs') + 1))
  })

  test('refuse a database that does not store UTF-8', async () => {
    const { url } = await newDatabase()
    const owner = await connect(url)
    const name = `latin_${randomBytes(6).toString('hex')}`
    await owner.client.query(
      `create database ${name} encoding 'LATIN1' locale 'C' template template0`,
    )
    opened.push({ end: () => owner.client.query(`drop database ${name} with (force)`) })
    await expect(migrateDatabase(url.replace(/[^/]*$/, name))).rejects.toMatchObject({
      code: 'configuration',
      message: expect.stringContaining('LATIN1'),
    })
  })
})

test('a migration after one that ended between migrations and rights gives the rights', async () => {
  const { url, owner } = await emptyDatabase()
  const relay = await openRelay(url)
  opened.push({ end: relay.end })
  expect(await migrateDatabase(url)).toEqual(NAMES)
  const mayRead = async () =>
    (
      await owner.client.query(
        "select has_table_privilege('waybill_app', 'waybill.tool_calls', 'select') as may",
      )
    ).rows[0].may
  // As a newer version finds them.
  await owner.client.query('revoke all on waybill.tool_calls from waybill_app')
  await owner.client.query("comment on schema waybill is 'of before'")
  relay.cutAfter('grant usage on schema')
  await expect(migrateDatabase(relay.url)).rejects.toThrow()
  expect(await mayRead()).toBe(false)
  expect(await migrateDatabase(url)).toEqual([])
  expect(await mayRead()).toBe(true)
})

test('a migration continues where it was after its connection is cut, or refused for a moment', async () => {
  const { url } = await emptyDatabase()
  const relay = await openRelay(url)
  opened.push({ end: relay.end })
  const store = await openStore({ url: relay.url })
  opened.push({ end: () => store.close() })
  relay.cutAfter('create table waybill.colony_review_packets')
  await store.migrate()
  relay.cutAfter('pg_try_advisory_lock')
  expect(await store.migrate()).toEqual([])
  await relay.close()
  const migrating = store.migrate()
  await new Promise(resolve => setTimeout(resolve, 500))
  await relay.open()
  expect(await migrating).toEqual([])
  expect(await store.isolation()).toEqual({ by: 'roles' })
  await store.tenant('acme', tx => insertArtifact(tx, envelopeOf(randomUUID(), 'acme')))
})

describe('an owner who may not make roles', () => {
  test('has a store for one tenant, says so, and has room for more once the roles are given', async () => {
    const { url } = await newDatabase()
    const superuser = await connect(url)
    const name = `plain_${randomBytes(6).toString('hex')}`
    await superuser.client.query(`create role ${name} login password 'plain'`)
    await superuser.client.query(`create database ${name} owner ${name}`)
    opened.push({
      end: async () => {
        await superuser.client.query(`drop database ${name} with (force)`)
        await superuser.client.query(`drop role ${name}`)
      },
    })
    const own = new URL(url)
    own.username = name
    own.password = 'plain'
    own.pathname = `/${name}`
    const store = await openStore({ url: own.href })
    opened.push({ end: () => store.close() })
    expect(await store.migrate()).toEqual(NAMES)
    expect(await store.isolation()).toMatchObject({
      by: 'query',
      why: expect.stringContaining('waybill_app'),
      remedy: expect.stringContaining('create role'),
    })
    const app = { root: '/', cwd: '/', now: 0, version: '1', stdin: async () => new Uint8Array() }
    const examined = () => examineDatabase({ ...app, databaseUrl: own.href })
    expect(await examined()).toMatchObject({
      status: 'warning',
      message: expect.stringMatching(
        new RegExp(`, as ${name}; only queries isolate tenants, .*waybill_app`),
      ),
      remedy: expect.stringContaining('create role waybill_app'),
    })

    const first = randomUUID()
    await store.tenant('acme', tx => insertArtifact(tx, envelopeOf(first, 'acme')))
    const refused = { code: 'configuration', message: expect.stringContaining('one tenant') }
    await expect(store.tenant('other', async () => 1)).rejects.toMatchObject(refused)
    const raw = await connect(own.href)
    const insertion = insertionOf('mission_envelope', envelopeOf(randomUUID(), 'other'), 'other')
    expect(await raw.refusal('other', ...insertion)).toMatchObject({ code: '23505' })
    for (const tenant of [undefined, 'other'])
      expect(await raw.rows(tenant, 'select * from waybill.colony_missions')).toEqual([])
    expect(await raw.refusal('acme', 'delete from waybill.colony_missions')).toMatchObject({
      code: '42501',
    })
    expect(await store.erase({ ...ERASURE, mission: first, digest: await digestIn(raw) })).toBe(
      true,
    )

    await superuser.client.query(`grant waybill_app, waybill_durable to ${name}`)
    expect(await examined()).toMatchObject({
      status: 'warning',
      message: expect.stringContaining('its roles are newer than its last migration'),
      remedy: expect.stringContaining('waybill mission work'),
    })
    expect(await store.migrate()).toEqual([])
    expect(await store.isolation()).toEqual({ by: 'roles' })
    expect((await examined()).message).toContain('roles isolate tenants')
    await store.tenant('other', tx => insertArtifact(tx, envelopeOf(first, 'other')))
    expect(
      await store.tenant('acme', tx => listArtifacts(tx, 'mission_envelope', first)),
    ).toHaveLength(1)

    await superuser.client.query(`revoke waybill_app, waybill_durable from ${name}`)
    await store.close()
    await expect(store.migrate()).rejects.toMatchObject(refused)
    await expect(store.tenant('acme', async () => 1)).rejects.toMatchObject(refused)
  })

  test('two tenants that come at once do not both get in', async () => {
    const { url } = await newDatabase()
    const owner = await connect(url)
    await owner.client.query('create unique index one_tenant on waybill.tenants ((true))')
    const came = await Promise.all(
      ['one', 'two', 'three'].map(async tenant => {
        const raw = await connect(url)
        const insertion = insertionOf('mission_envelope', envelopeOf(randomUUID(), tenant), tenant)
        return raw.rows(tenant, ...insertion).then(
          () => 'in',
          error => error.constraint,
        )
      }),
    )
    expect(came.toSorted()).toEqual(['in', 'one_tenant', 'one_tenant'])
  })
})

const ERASURE = { tenant: 'acme', artifact: 'mission_envelope', by: 'Ada', why: 'a test' } as const

async function digestIn(raw: Raw): Promise<string> {
  const [row] = await raw.rows('acme', 'select digest from waybill.colony_missions')
  return String(row?.digest)
}
