import pg from 'pg'
import { expect, test } from 'vitest'
import { findOnSystem } from '../src/store/embedded/system.ts'
import { openDatabase } from './database.ts'

async function ask(url: string, sql: string): Promise<readonly Record<string, unknown>[]> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    return (await client.query(sql)).rows
  } finally {
    await client.end()
  }
}

const hasSystem = findOnSystem('/usr/bin:/bin').length > 0

test.each(['bundled', ...(hasSystem ? ['system'] : [])])(
  'databases on the %s server are migrated, and each its own',
  async server => {
    const [one, other] = await Promise.all([openDatabase({ server }), openDatabase({ server })])
    expect(new URL(one.url).host).toBe(new URL(other.url).host)
    const tables = "select from pg_tables where schemaname = 'waybill'"
    expect((await ask(one.url, tables)).length).toBeGreaterThan(10)
    expect(await other.store.migrate()).toEqual([])
    await ask(one.url, 'create table own ()')
    await expect(ask(other.url, 'select from own')).rejects.toThrow(/does not exist/)
    await Promise.all([one.remove(), other.remove()])
    await expect(ask(one.url, 'select 1')).rejects.toThrow(/does not exist/)
  },
)

test('one without tables is empty', async () => {
  const { url, remove } = await openDatabase({ migrated: false })
  expect(await ask(url, "select from pg_namespace where nspname = 'waybill'")).toEqual([])
  await remove()
})
