import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Database, openDatabase } from '../../test/database.ts'
import { connected } from './connection.ts'
import { readRun } from './runs.ts'
import { openStore, type Store } from './store.ts'
import { ask, type Tx } from './tx.ts'

let database: Database
let store: Store
beforeAll(async () => {
  database = await openDatabase()
  store = await openStore({ url: database.url, poolSize: 1 })
})
afterAll(async () => {
  await store?.close()
  await database?.remove()
})

const asOwner = (statements: string) => connected(database.url, client => client.query(statements))
const inTenant = <T>(work: (tx: Tx) => Promise<T>) => store.tenant('acme', work)

test('what was prepared before a migration changed its columns is prepared again', async () => {
  await asOwner(`
    create table waybill.changing as select 1::integer as n;
    grant select on waybill.changing to public`)
  const read = () => inTenant(tx => ask(tx)`select n from waybill.changing where n = ${1}`)
  for (let time = 0; time < 3; time++) expect(await read()).toEqual([{ n: 1 }])
  await asOwner('alter table waybill.changing alter n type bigint')
  expect(await read()).toEqual([{ n: '1' }])
})

test('a statement that the connection has meanwhile forgotten is prepared again', async () => {
  const read = () => inTenant(tx => ask(tx)`select ${1}::integer as n`)
  for (let time = 0; time < 3; time++) expect(await read()).toEqual([{ n: 1 }])
  await inTenant(tx => ask(tx)`deallocate all`)
  expect(await read()).toEqual([{ n: 1 }])
})

test('a database that an earlier version has migrated is reported as such, also where it lacks a column', async () => {
  await asOwner('alter table waybill.mission_runs drop column revision')
  const reading = inTenant(tx => readRun(tx, '3f1c9a52-8f0e-4c55-9b1a-6b8f2f0f7a10'))
  await expect(reading).rejects.toMatchObject({
    code: 'configuration',
    hint: expect.stringContaining('waybill mission work'),
  })
})
