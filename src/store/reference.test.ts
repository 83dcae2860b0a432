import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { databasePage } from '../../scripts/generate/database/page.ts'
import { tableTypes } from '../../scripts/generate/database/types.ts'
import { type Database, openDatabase } from '../../test/database.ts'
import { connectRaw } from '../../test/raw-sql.ts'

let database: Database
beforeAll(async () => {
  database = await openDatabase()
})
afterAll(async () => {
  await database?.remove()
})

const root = join(import.meta.dirname, '../..')

test('the types of the tables are those of a live database', async () => {
  await expect(await tableTypes(database.url)).toMatchFileSnapshot(
    join(root, 'src/store/tables.generated.ts'),
  )
})

test('the reference page says what a live database has', async () => {
  await expect(await databasePage(database.url)).toMatchFileSnapshot(
    join(root, 'docs/reference/database.md'),
  )
})

test('every artifact has its table, in which its payload is jsonb, and so has each task of a graph', async () => {
  const owner = await connectRaw(database.url)
  const found = await owner.rows(
    undefined,
    `select table_name as name from information_schema.columns
     where table_schema = 'waybill' and column_name = 'payload' and data_type = 'jsonb'
       and table_name like 'colony%' order by 1`,
  )
  expect(found.map(({ name }) => name)).toEqual(
    [
      'colony_missions',
      'colony_tasks',
      // In addition to the ten that are asked for: a graph as it was written, of which its tasks are made.
      'colony_task_graphs',
      'colony_prompt_packages',
      'colony_research_artifacts',
      'colony_librarian_passes',
      'colony_worker_results',
      'colony_aggregation_packets',
      'colony_review_packets',
      'colony_policy_decisions',
      'colony_writeback_proposals',
    ].sort(),
  )
  await owner.end()
})

test('every table, column, check and function says what it is for', async () => {
  const owner = await connectRaw(database.url)
  const silent = await owner.rows(
    undefined,
    `select relname as name from pg_class
       where relnamespace = 'waybill'::regnamespace and relkind = 'r' and relname not like 'migration%'
         and obj_description(oid, 'pg_class') is null
     union all select attrelid::regclass || '.' || attname from pg_attribute join pg_class on pg_class.oid = attrelid
       where relnamespace = 'waybill'::regnamespace and relkind = 'r' and relname not like 'migration%'
         and attnum > 0 and not attisdropped and col_description(attrelid, attnum) is null
     union all select conrelid::regclass || '.' || conname from pg_constraint
       where connamespace = 'waybill'::regnamespace and contype = 'c' and obj_description(oid, 'pg_constraint') is null
     union all select proname from pg_proc
       where pronamespace = 'waybill'::regnamespace and obj_description(oid, 'pg_proc') is null`,
  )
  expect(silent.map(({ name }) => name)).toEqual([])
  await owner.end()
})
