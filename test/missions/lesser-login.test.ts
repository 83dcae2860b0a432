import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { movePostgresLog, openStore } from '../../src/store/index.ts'
import { openTestServer, type TestServer } from '../embedded.ts'
import { expectBriefOnce, expectSoundLog, withRaw } from '../mission-facts.ts'
import { type MissionRepository, openMissionRepository } from '../mission-repository.ts'
import { comesTrue } from '../processes.ts'

const PASSWORD = 'open sesame'
const GUIDE = readFileSync(
  join(import.meta.dirname, '../../docs/guide/operating-missions.md'),
  'utf8',
)
/** What the guide lets a superuser do, what it lets him do for a worker, and what the owner does then. */
const [roles = [], worker = []] = [...GUIDE.matchAll(/```sql\n(.*?)```/gs)].map(([, sql = '']) =>
  sql.replaceAll('…', PASSWORD).split(/^-- as the owner.*\n/m),
)

let server: TestServer
let superuser: string
let repository: MissionRepository
beforeAll(async () => {
  server = openTestServer()
  const isSystem = process.env.WAYBILL_TEST_DATABASE === 'system'
  superuser = (await server.start({ binaries: isSystem ? 'system' : 'bundled' })).url
  await does(superuser, roles[0])
  const url = addressOf('acme')
  const store = await openStore({ url })
  repository = await openMissionRepository('ledger: postgres\n', {
    url,
    store,
    remove: () => store.close(),
  })
})
afterAll(async () => {
  await repository?.remove()
  await server?.remove()
})

/** Where the guide's database is, for a user who logs in. */
function addressOf(user: string, database = 'acme'): string {
  const url = new URL(superuser)
  url.username = user
  url.password = PASSWORD
  url.pathname = `/${database}`
  return url.href
}

/** Runs statements one after another, as the user of an address. */
async function does(url: string, sql = ''): Promise<void> {
  const statements = sql.split(';').filter(one => one.trim() !== '')
  expect(statements.length).toBeGreaterThan(1)
  await withRaw(url, async ({ client }) => {
    for (const statement of statements) await client.query(statement)
  })
}

/** Starts a worker as a verb, as a user, and ends it when it takes tasks. */
async function workAs(url: string) {
  const { child, ran } = repository.startAt(url, 'work')
  let output = ''
  child.stdout.on('data', chunk => {
    output += chunk
  })
  const hasBegun = () => output.includes('takes tasks') || child.exitCode !== null
  expect(await comesTrue(hasBegun, 60_000)).toBe(true)
  child.kill('SIGTERM')
  return ran
}

test('a worker with the lesser login of the guide does a mission to its end', async () => {
  expect(await workAs(addressOf('acme'))).toMatchObject({ code: 143, err: '' })
  await does(superuser, worker[0])
  await does(addressOf('acme'), worker[1])
  const url = addressOf('acme_worker')
  const { child, ran } = repository.startAt(url, 'run', 'brief', '--goal', 'Find out')
  const { code, out, err } = await ran
  expect({ code, err }).toEqual({ code: 0, err: '' })
  expect(child.exitCode).toBe(0)
  const [, mission = ''] = /([0-9a-f-]{36}) finished/.exec(out) ?? []
  await expectBriefOnce(repository, mission, await repository.peek(mission))
  await expectSoundLog(repository)
})

const AS_OWNER = 'run waybill mission work once as the database owner: it migrates the database'

test('it cannot migrate: the owner is asked to', async () => {
  await withRaw(superuser, ({ client }) => client.query('create database newer owner acme'))
  const made = await workAs(addressOf('acme_worker', 'newer'))
  expect(made.code).toBe(2)
  expect(made.err).toContain(AS_OWNER)
  // As if this were a newer version, which has one migration more.
  const { rows } = await withRaw(addressOf('acme'), ({ client }) =>
    client.query(
      'delete from waybill.migrations where name = (select max(name) from waybill.migrations) returning *',
    ),
  )
  const brought = await workAs(addressOf('acme_worker'))
  expect(brought.code).toBe(2)
  expect(brought.err).toContain(AS_OWNER)
  await withRaw(addressOf('acme'), ({ client }) =>
    client.query('insert into waybill.migrations values ($1, $2)', Object.values(rows[0])),
  )
})

test('it cannot move a log into the database: that is done as the owner', async () => {
  await withRaw(superuser, ({ client }) => client.query('create database moved owner acme'))
  const store = await openStore({ url: addressOf('acme', 'moved') })
  await store.migrate()
  await store.close()
  await does(addressOf('acme', 'moved'), worker[1])
  const url = addressOf('acme_worker', 'moved')
  const move = movePostgresLog(url, 'urn:waybill:log:a', async () => {})
  await expect(move).rejects.toMatchObject({
    code: 'configuration',
    message: expect.stringContaining('permission denied'),
    hint: expect.stringMatching(/^only the database owner can move a log/),
  })
})

test('it sees no rows without a tenant, and those of one tenant alone', async () => {
  const other = await repository.begin('brief', { tenant: 'other' })
  await withRaw(addressOf('acme_worker'), async raw => {
    const missions = 'select mission_id, tenant_id from waybill.colony_missions'
    expect(await raw.rows(undefined, missions)).toEqual([])
    expect(await raw.rows('default', missions)).toMatchObject([{ tenant_id: 'default' }])
    expect(await raw.rows('other', missions)).toEqual([{ mission_id: other, tenant_id: 'other' }])
    expect(await raw.refusal('default', `set local row_security = off; ${missions}`)).toMatchObject(
      { code: '42501' },
    )
  })
})

test.each([
  ['change an artifact', 'update waybill.colony_missions set digest = digest'],
  ['take one away', 'delete from waybill.colony_worker_results'],
  [
    'erase one',
    "select waybill.erase('default', 'waybill.colony_missions', gen_random_uuid(), '', 'a', 'b')",
  ],
  [
    'take the guard of the tenants away',
    'alter table waybill.colony_missions disable row level security',
  ],
  ['make a table', 'create table waybill.mine (n integer)'],
  ['write the log past its functions', 'update waybill.ledger_state set size = 0'],
  [
    'say that the database is another repository’s',
    "update waybill.installation set origin = 'mine'",
  ],
  ['say that it was migrated', "insert into waybill.migrations values ('9999', 'now')"],
  ['drop what the queue stands in', 'drop table dbos.workflow_status cascade'],
  ['make a table for the queue', 'create table dbos.mine (n integer)'],
  [
    'touch the queue as the application',
    'set local role waybill_app; update dbos.workflow_status set status = status',
  ],
  [
    'touch missions as the queue',
    'set local role waybill_durable; select from waybill.mission_runs',
  ],
  ['make a role', 'create role mine'],
])('it cannot %s', async (_, sql) => {
  await withRaw(addressOf('acme_worker'), async raw => {
    expect(await raw.refusal('default', sql)).toMatchObject({ code: '42501' })
  })
})
