import { expect, test } from 'vitest'
import { openDatabase } from '../../test/database.ts'
import { graphOf } from '../../test/mission-payloads.ts'
import { connectRaw } from '../../test/raw-sql.ts'
import { allRows, type Row, storeInAll } from '../../test/stored-rows.ts'
import { RUN_TABLES } from '../../test/two-tenants.ts'
import { insertArtifact, listArtifacts } from './index.ts'
import { migrateDatabase } from './migrate.ts'
import { migrations } from './migrations.generated.ts'

test('migrations keep every row that was stored at an earlier version, and all can still be added to', async () => {
  const { url, store, remove } = await openDatabase({ migrated: false })
  const owner = await connectRaw(url)
  const missions: string[] = []
  for (const [name] of migrations) {
    const before = await allRows(owner)
    expect(await migrateDatabase(url, name)).toEqual([name])
    const tables = await allRows(owner)
    for (const [table, rows] of before)
      expect(kept(tables.get(table), rows), `${table} after ${name}`).toEqual(kept(rows, rows))
    // The first makes no table for missions.
    if (tables.has('colony_missions')) missions.push(await storeInAll(owner, tables))
  }
  expect(await migrateDatabase(url)).toEqual([])
  const last = await allRows(owner)
  for (const [table, rows] of last) expect(rows, table).not.toEqual([])
  // What came later had fewer versions to be stored at; each kept what it was given.
  const counts = RUN_TABLES.map(table => last.get(table)?.length)
  const since = (name: string) => migrations.length - migrations.findIndex(([n]) => n === name)
  const [runs, decisions] = [since('0016-runs'), since('0017-write-backs')]
  expect(counts).toEqual([runs, runs, runs, runs, decisions, decisions])
  expect(last.get('colony_missions')).toHaveLength(since('0002-mission-envelope'))
  expect(last.get('ledger_state')).toMatchObject([{ size: 256 * since('0015-ledger') }])

  // Also those that came before there was a list of tenants, or tasks were made of graphs.
  const [first = ''] = missions
  await store.tenant('acme', async tx => {
    await insertArtifact(tx, graphOf(first, { late: [] }))
    expect(await listArtifacts(tx, 'mission_envelope', first)).toHaveLength(1)
  })
  // Decisions that came before the rule that keeps them get their entry, and nothing else.
  const decided = 'update waybill.proposal_decisions set'
  expect(await owner.refusal('acme', `${decided} why = 'other'`)).toMatchObject({ code: '42501' })
  await owner.rows('acme', `${decided} entry = 'x'`)
  expect(await owner.refusal('acme', `${decided} entry = 'y'`)).toMatchObject({ code: '42501' })
  await owner.end()
  await remove()
})

/** Rows by what they had when they were stored, whatever was added to them since, and wherever they stand now. */
function kept(rows: readonly Row[] = [], stored: readonly Row[]): readonly string[] {
  const columns = Object.keys(stored[0] ?? {})
  return rows.map(row => JSON.stringify(columns.map(column => row[column]))).toSorted()
}
