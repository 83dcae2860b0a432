import { randomUUID } from 'node:crypto'
import { artifactTables } from '../src/store/artifact-tables.generated.ts'
import { envelopeOf, exampleOf, graphOf, insertionOf, type Payload } from './mission-payloads.ts'
import type { Raw } from './raw-sql.ts'
import { RUN_TABLES, runInsertion } from './two-tenants.ts'

/** A row, as JSON has it. */
export type Row = Readonly<Record<string, unknown>>

type Rows = ReadonlyMap<string, readonly Row[]>

/** All rows of every table of ours, but the list of migrations. */
export async function allRows(owner: Raw): Promise<Rows> {
  const tables = await owner.rows(
    undefined,
    "select tablename as name from pg_tables where schemaname = 'waybill' and tablename <> 'migrations'",
  )
  const found = new Map()
  for (const { name } of tables) {
    const rows = await owner.rows(undefined, `select to_jsonb(t) as row from waybill.${name} as t`)
    found.set(
      name,
      rows.map(({ row }) => row),
    )
  }
  return found
}

/** Stores a row of each sort that there is a table for by now, in a new mission of Acme; answers the mission. */
export async function storeInAll(owner: Raw, tables: Rows): Promise<string> {
  const mission = randomUUID()
  for (const [name, { table }] of Object.entries(artifactTables)) {
    if (!tables.has(table)) continue
    const payload = payloadOf(name, mission)
    await owner.rows('acme', ...insertionOf(name as 'worker_result', payload, 'acme'))
  }
  for (const table of RUN_TABLES)
    if (tables.has(table)) await owner.rows('acme', ...runInsertion(table, 'acme', mission))
  for (const [table, sql] of Object.entries(OTHERS))
    if (tables.has(table)) await owner.rows(undefined, sql)
  return mission
}

/** What belongs to no tenant: as many entries as make a node of the tree, their checkpoint, a worker, the repository. */
const OTHERS = {
  ledger_entries: `
    select waybill.ledger_append('log', 1000, repeat('d', 8192)::bytea, repeat('e', 256)::bytea,
      array(select generate_series(1, 256)), array_fill(1, array[256]), repeat(E'one\\n', 255) || 'one',
      sha256(gen_random_uuid()::text::bytea), '{0}', 1, '', '{}', 1000, 'boot', 1)`,
  ledger_checkpoint:
    "select waybill.ledger_publish('log', size, E'note\\n\\n') from waybill.ledger_state",
  workers:
    "insert into waybill.workers (worker_id, host, pid) values (gen_random_uuid(), 'here', 1)",
  installation: "insert into waybill.installation (origin) values ('log') on conflict do nothing",
}

function payloadOf(name: string, mission: string): Payload {
  if (name === 'mission_envelope') return envelopeOf(mission, 'acme')
  if (name === 'mission_task_graph') return graphOf(mission, { first: [], second: ['first'] })
  const example = exampleOf(`${name.replaceAll('_', '-')}.v1`)
  return { ...example, mission_id: mission, ...(example.task_id ? { task_id: 'first' } : {}) }
}
