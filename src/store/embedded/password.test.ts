import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import pg from 'pg'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { openTestServer, type TestServer } from '../../../test/embedded.ts'
import { comesTrue, processesOf, serversOf } from '../../../test/processes.ts'

/** A database that is there already, with a table. */
const made = openTestServer()
beforeAll(async () => {
  await ask((await made.start()).url, 'create table kept as select 7 as n')
  await made.stop()
})
afterAll(() => made.remove())

let server: TestServer
beforeEach(() => {
  server = openTestServer(made)
})
afterEach(() => server.remove())

async function ask(url: string, sql: string): Promise<readonly Record<string, unknown>[]> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    return (await client.query(sql)).rows
  } finally {
    await client.end()
  }
}

const file = () => join(server.folder, 'password')
const isEmpty = () => comesTrue(() => processesOf(server.root).length === 0)

const LOSSES: readonly (readonly [string, () => void])[] = [
  ['missing', () => rmSync(file())],
  ['empty', () => writeFileSync(file(), '')],
]

test.each(LOSSES)('data whose password is %s get a new one, and stay', async (_, lose) => {
  const before = await server.start()
  await server.stop()
  lose()
  const { url } = await server.start()
  expect(new URL(url).password).not.toBe(new URL(before.url).password)
  expect(await ask(url, 'select n from kept')).toEqual([{ n: 7 }])
  expect((await server.start()).url).toBe(url)
})

test.each(LOSSES)(
  'where the password of a running server is %s, that is reported, with what to do',
  async (_, lose) => {
    const { pid } = await server.start()
    lose()
    await expect(server.start()).rejects.toMatchObject({
      code: 'configuration',
      message: expect.stringContaining(`${file()} is missing`),
      hint: expect.stringContaining(`kill -INT ${pid}`),
    })
    // What the hint says helps.
    expect(await server.stop()).toBe(true)
    expect(await ask((await server.start()).url, 'select n from kept')).toEqual([{ n: 7 }])
  },
)

test('a password that the server does not take is reported at once, and no server is left behind', async () => {
  writeFileSync(file(), `${'0'.repeat(48)}\n`)
  await expect(server.start()).rejects.toMatchObject({
    code: 'configuration',
    message: expect.stringContaining(file()),
    hint: expect.stringContaining('delete the file'),
  })
  expect(await isEmpty()).toBe(true)
})

test('a watchdog stops a server that can no longer be entered, and ends with it', async () => {
  const { url } = await server.start()
  const guards = "from pg_locks where locktype = 'advisory' and objid = 1"
  const isGuarded = async () => (await ask(url, `select ${guards}`)).length > 0
  expect(await comesTrue(isGuarded)).toBe(true)
  writeFileSync(file(), `${'0'.repeat(48)}\n`)
  expect(serversOf(server.root)).toHaveLength(1)
  // It comes back to its server when its connection ends, and cannot enter it.
  await ask(url, `select pg_terminate_backend(pid) ${guards}`)
  expect(await isEmpty()).toBe(true)
})
