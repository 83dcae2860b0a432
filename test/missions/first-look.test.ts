import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { afterAll, beforeAll, expect, test } from 'vitest'
import missionList from '../../src/operations/mission-list.ts'
import type { App } from '../../src/operations/operation.ts'
import { openDatabase } from '../database.ts'
import { openTestServer, type TestServer } from '../embedded.ts'
import { openMissionRepository } from '../mission-repository.ts'
import { PROGRAM } from '../program.ts'
import { connectRaw } from '../raw-sql.ts'

let server: TestServer
beforeAll(() => {
  server = openTestServer()
})
afterAll(() => server?.remove())

const app = (more: Partial<App> = {}): App => ({
  now: Date.UTC(2026, 5, 1),
  root: server.root,
  cwd: server.root,
  version: '0.0.0',
  stdin: async () => new Uint8Array(),
  environment: { PATH: process.env.PATH ?? '' },
  ...more,
})

test('a look before the first mission finds none, and makes no database', async () => {
  const listed = await missionList.run({}, app())
  expect(listed).toEqual({ state: null, missions: [], more: false })
  expect(existsSync(server.folder)).toBe(false)
})

test('looks at a database that has no tables yet wait for the one that makes them', async () => {
  const fresh = openTestServer()
  try {
    await fresh.start()
    const where = { root: fresh.root, cwd: fresh.root }
    const all = await Promise.all(Array.from({ length: 6 }, () => missionList.run({}, app(where))))
    expect(all).toEqual(all.map(() => ({ state: null, missions: [], more: false })))
  } finally {
    await fresh.remove()
  }
})

test('a look where a migration was killed before it gave rights gives them', async () => {
  const { url } = await server.start()
  await missionList.run({}, app())
  const owner = await connectRaw(url)
  await owner.rows(undefined, 'revoke all on schema waybill from waybill_app')
  await owner.rows(undefined, 'comment on schema waybill is null')
  await owner.end()
  const listed = await missionList.run({}, app())
  expect(listed).toEqual({ state: null, missions: [], more: false })
})

test('a look does not migrate the server of others, and says how to', async () => {
  const empty = await openDatabase({ migrated: false })
  try {
    const listing = missionList.run({}, app({ databaseUrl: empty.url }))
    await expect(listing).rejects.toMatchObject({
      code: 'configuration',
      hint: expect.stringContaining('waybill mission work as the database owner'),
    })
  } finally {
    await empty.remove()
  }
})

/** Hides the package of the queue from the program that loads this first. */
const WITHOUT_QUEUE = `data:text/javascript,${encodeURIComponent(`
  import { registerHooks } from 'node:module'
  registerHooks({ resolve: (wanted, context, next) => {
    if (!wanted.startsWith('@dbos-inc/dbos-sdk')) return next(wanted, context)
    throw Object.assign(new Error('Cannot find package'), { code: 'ERR_MODULE_NOT_FOUND' })
  } })`)}`

test('beginning a mission without the package of the queue names what to install', async () => {
  const repository = await openMissionRepository('', await openDatabase({ migrated: false }))
  const args = ['--import', WITHOUT_QUEUE, PROGRAM, 'mission', 'submit', 'brief', '--goal', 'Any']
  const env = {
    ...process.env,
    DATABASE_URL: repository.database.url,
    XDG_STATE_HOME: repository.root,
  }
  const ran = spawnSync(process.execPath, args, { cwd: repository.root, env, encoding: 'utf8' })
  await repository.remove()
  expect(ran.status).toBe(2)
  expect(ran.stderr).toMatch(
    /package @dbos-inc\/dbos-sdk, which is missing\n.*npm install @dbos-inc/,
  )
})
