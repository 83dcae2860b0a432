import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { openDatabase } from '../../test/database.ts'
import { envelopeOf } from '../../test/mission-payloads.ts'
import { connectRaw } from '../../test/raw-sql.ts'
import { insertArtifact, insertRun, readRun } from './index.ts'

/** What an administrator may have set for all connections to a database, and the word by which ours differ. */
const SETTINGS = [
  ['datestyle', "'SQL, DMY'", 'ISO, MDY'],
  ['extra_float_digits', '-15', '1'],
  ['row_security', 'off', 'on'],
  ['default_transaction_isolation', "'serializable'", 'read committed'],
  ['standard_conforming_strings', 'off', 'on'],
  ['statement_timeout', "'5ms'", '0'],
  ['lock_timeout', "'5ms'", '0'],
] as const

test('a database may have settings of its own: it is migrated and worked in with those that ours are made for', async () => {
  const { url, store, remove } = await openDatabase({ migrated: false })
  const owner = await connectRaw(url)
  const name = new URL(url).pathname.slice(1)
  for (const [setting, value] of SETTINGS)
    await owner.client.query(`alter database "${name}" set ${setting} = ${value}`)
  expect(await store.migrate()).not.toEqual([])
  const mission = randomUUID()
  const run = await store.tenant('acme', async tx => {
    await insertArtifact(tx, envelopeOf(mission, 'acme'))
    await insertRun(tx, { mission, template: null, timeBudget: null, tokenBudget: null })
    return readRun(tx, mission)
  })
  expect(run?.startedAt).toBeInstanceOf(Date)
  for (const [setting, , ours] of SETTINGS) {
    const query = sql<{ is: string }>`select current_setting(${setting}) as is`
    const { rows } = await store.tenant('acme', tx => query.execute(tx))
    expect({ [setting]: rows[0]?.is }).toEqual({ [setting]: ours })
  }
  await owner.end()
  await remove()
})
