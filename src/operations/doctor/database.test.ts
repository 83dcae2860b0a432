import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { openDatabase } from '../../../test/database.ts'
import { openTestServer, type TestServer } from '../../../test/embedded.ts'
import { withRaw } from '../../../test/mission-facts.ts'
import { processesOf } from '../../../test/processes.ts'
import { databaseUrl } from '../database/open.ts'
import type { App } from '../operation.ts'
import { examineDatabase } from './database.ts'

let server: TestServer
beforeEach(() => {
  server = openTestServer()
})
afterEach(() => server.remove())

const app = (more: Partial<App> = {}): App => ({
  now: Date.UTC(2026, 5, 1),
  root: server.root,
  cwd: server.root,
  version: '1.2.3',
  environment: { PATH: '/usr/bin:/bin' },
  stdin: async () => new Uint8Array(),
  ...more,
})

test('before there is a database it says what would be started, and starts nothing', async () => {
  rmSync(join(server.root, '.waybill'), { recursive: true })
  const { status, message } = await examineDatabase(app())
  expect(status).toBe('ok')
  expect(message).toMatch(
    /^embedded: not running; the bundled PostgreSQL 18\.4 \(.*\) would run as .*, no data yet$/,
  )
  expect(existsSync(join(server.root, '.waybill'))).toBe(false)
  expect(processesOf(server.root)).toEqual([])
})

test('a running one is shown with port, process, time and place, a stopped one with its data', async () => {
  const before = Date.now()
  const url = new URL(await databaseUrl(app()))
  const running = (await examineDatabase(app())).message
  expect(running).toMatch(
    /^embedded: the bundled PostgreSQL 18\.4 as (nobody|this user|root in .*) runs on /,
  )
  expect(running).toContain(` runs on 127.0.0.1:${url.port} `)
  expect(running).toContain('data of version 18 in .waybill/database/data')
  // The application gave no watchdog.
  expect(running).toContain('no watchdog stops it')
  expect(running).not.toContain(url.password)
  const since = Date.parse(/since ([^,]+),/.exec(running)?.[1] ?? '')
  expect(since).toBeGreaterThan(before - 1000)
  expect(since).toBeLessThanOrEqual(Date.now())
  await server.stop()
  const stopped = (await examineDatabase(app())).message
  expect(stopped).toMatch(
    /^embedded: not running; .* data of version 18 in .waybill\/database\/data$/,
  )
  expect(processesOf(server.root)).toEqual([])
})

test('data that no PostgreSQL here can open are a warning', async () => {
  mkdirSync(join(server.folder, 'data'), { recursive: true })
  writeFileSync(join(server.folder, 'data/PG_VERSION'), '14\n')
  expect(await examineDatabase(app())).toMatchObject({
    status: 'warning',
    message: expect.stringContaining('created by PostgreSQL 14'),
    remedy: expect.stringContaining('DATABASE_URL'),
  })
})

test('one that the environment names is shown without its password', async () => {
  const { url, remove } = await openDatabase()
  const { status, message } = await examineDatabase(app({ databaseUrl: url }))
  expect(status).toBe('ok')
  const { host, pathname, password } = new URL(url)
  expect(message).toMatch(/^DATABASE_URL: PostgreSQL \d+\.\d/)
  expect(message).toContain(` at ${host}${pathname}, as waybill; roles isolate tenants`)
  expect(message).not.toContain(password)
  expect(await databaseUrl(app({ databaseUrl: url }))).toBe(url)
  await remove()
})

test('one that a newer version has migrated is reported before it refuses a mission', async () => {
  const { url, remove } = await openDatabase()
  const later = "insert into waybill.migrations values ('9999-later', '2030-01-01')"
  await withRaw(url, raw => raw.rows(undefined, later))
  expect(await examineDatabase(app({ databaseUrl: url }))).toMatchObject({
    status: 'warning',
    message: expect.stringContaining('; it was migrated by a newer version of Waybill'),
    remedy: 'use that version or a newer one',
  })
  await remove()
})

test('a login that may not migrate gets a warning that migrations are missing', async () => {
  const { url, remove } = await openDatabase()
  const login = `doctor_${process.pid}`
  await withRaw(url, async raw => {
    await raw.rows(undefined, `create role ${login} login password 'x' in role waybill_app`)
    await raw.rows(undefined, `grant usage on schema waybill to ${login}`)
    await raw.rows(undefined, `grant select on waybill.migrations to ${login}`)
    await raw.rows(undefined, 'delete from waybill.migrations where name >= $1', ['0020'])
  })
  const lesser = new URL(url)
  Object.assign(lesser, { username: login, password: 'x' })
  expect(await examineDatabase(app({ databaseUrl: lesser.href }))).toMatchObject({
    status: 'warning',
    message: expect.stringContaining('; tables and functions that this version needs are missing'),
    remedy: expect.stringContaining('as the owner of the database'),
  })
  expect((await examineDatabase(app({ databaseUrl: url }))).message).toMatch(
    /; it is not ready: .* waybill mission work/,
  )
  await withRaw(url, raw => raw.rows(undefined, `drop owned by ${login}; drop role ${login}`))
  await remove()
})

test('a login that may not read the migrations is shown which grants it lacks', async () => {
  const { url, remove } = await openDatabase()
  const login = `unseeing_${process.pid}`
  await withRaw(url, raw =>
    raw.rows(undefined, `create role ${login} login password 'x' in role waybill_app`),
  )
  const lesser = Object.assign(new URL(url), { username: login, password: 'x' })
  const examined = () => examineDatabase(app({ databaseUrl: lesser.href }))
  const lacking = {
    status: 'warning',
    message: expect.stringContaining(`, as ${login}, who may not read its migrations`),
    remedy: expect.stringContaining('grant select on waybill.migrations, waybill.migration_lock'),
  }
  expect(await examined()).toMatchObject(lacking)
  const grant = (table: string) =>
    withRaw(url, raw => raw.rows(undefined, `grant select on waybill.${table} to ${login}`))
  await grant('migrations')
  expect(await examined()).toMatchObject(lacking)
  await grant('migration_lock')
  expect(await examined()).toMatchObject({ status: 'ok' })
  await withRaw(url, raw => raw.rows(undefined, `drop owned by ${login}; drop role ${login}`))
  await remove()
})

test.each([
  ['no server answers', 'postgres://someone:geheim@127.0.0.1:1/x', /127\.0\.0\.1:1\/x/],
  ['is no address', 'geheim', /no address/],
])('one that %s is a warning, since only missions need it', async (_, url, said) => {
  const found = await examineDatabase(app({ databaseUrl: url }))
  expect(found).toMatchObject({ status: 'warning', message: expect.stringMatching(said) })
  expect(JSON.stringify(found)).not.toContain('geheim')
  expect(existsSync(join(server.folder, 'data'))).toBe(false)
})

test.each([
  ['password', { password: 'geheim' }],
  ['user', { username: 'nobody_of_that_name' }],
  ['name of a database', { pathname: '/none_of_that_name' }],
])('one that cannot be entered for a wrong %s is an error', async (_, wrong) => {
  const { url, remove } = await openDatabase()
  const { href } = Object.assign(new URL(url), wrong)
  const found = await examineDatabase(app({ databaseUrl: href }))
  expect(found).toMatchObject({
    status: 'error',
    message: expect.stringContaining('the database refused the connection: '),
    remedy: expect.stringContaining('check DATABASE_URL'),
  })
  expect(JSON.stringify(found)).not.toContain('geheim')
  await remove()
})
