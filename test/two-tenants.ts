import { randomUUID } from 'node:crypto'
import { artifactTables } from '../src/store/artifact-tables.generated.ts'
import { APPLICATION, insertArtifact } from '../src/store/index.ts'
import { type Database, openDatabase } from './database.ts'
import { CONTRACTS, envelopeOf, exampleOf, graphOf, type Payload } from './mission-payloads.ts'
import { connectRaw, type Raw } from './raw-sql.ts'

/** A database in which Acme has a mission with an artifact of every sort, and another tenant has a mission too. */
export interface TwoTenants {
  readonly database: Database
  readonly owner: Raw
  /** The role of the application with a password of its own, as a thief of the password has it. */
  readonly intruder: Raw
  /** Acme's mission. */
  readonly mission: string
  /** The mission of the tenant that is called other. */
  readonly others: string
  /** A worker result of Acme's, with the secret in it. */
  readonly result: Payload
  remove(): Promise<void>
}

/** Words that only Acme may read. */
export const SECRET = 'acme-only-words'

/** A row of each table of what changes while a mission runs, in the order in which they refer to each other. */
const RUNS = {
  mission_runs: { state: 'running', started_at: 'now' },
  task_runs: { task_id: 'first', position: 0, agent: 'a', state: 'blocked', open_dependencies: 0 },
  task_outputs: {
    ...{ task_id: 'first', position: 0, schema_name: 'worker_result' },
    ...{ artifact_id: 'wrk_001', digest: SECRET },
  },
  tool_calls: {
    ...{ task_id: 'first', ref: 'toolcall_1', attempt: 1, tool: SECRET, decision: 'allow' },
    ...{ policies: [], result_bytes: 0, is_cut: false, is_error: false, started_at: 'now', ms: 1 },
  },
  proposal_decisions: {
    ...{ digest: 'x', decision: 'approved', decided_by: 'Ada', standing: 'claimed' },
    ...{ why: SECRET, statement: {}, decided_at: 'now' },
  },
  writeback_outbox: { state: 'pending', attempts: 0, next_at: 'now' },
} as const

/** The tables of what changes while missions run. */
export const RUN_TABLES = Object.keys(RUNS) as readonly (keyof typeof RUNS)[]

/** The statement that adds a row to such a table as a tenant, and its values; a proposal is that of the example. */
export function runInsertion(
  table: keyof typeof RUNS,
  tenant: string,
  mission: string,
): readonly [sql: string, values: readonly unknown[]] {
  const { proposal_id } = exampleOf('writeback-proposal.v1')
  const row = { ...RUNS[table], tenant_id: tenant, mission_id: mission, proposal_id }
  // What a row leaves out has its default.
  const members = Object.keys(row).filter(
    member => member !== 'proposal_id' || !/^(?:mission|task|tool)/.test(table),
  )
  const columns = members.join(', ')
  return [
    `insert into waybill.${table} (${columns}) select ${columns} from jsonb_populate_record(null::waybill.${table}, $1)`,
    [JSON.stringify(row)],
  ]
}

/** Every table whose rows belong to tenants. */
export const TENANT_TABLES = [
  ...RUN_TABLES,
  ...Object.values(artifactTables).map(({ table }) => table),
  'colony_tasks',
  'colony_task_dependencies',
]

const spread = ([sql, values]: ReturnType<typeof runInsertion>): [string, unknown[]] => [
  sql,
  [...values],
]

/** Makes the database, and lets the role of the application log in by itself for as long as it is there. */
export async function openTwoTenants(): Promise<TwoTenants> {
  const database = await openDatabase()
  const owner = await connectRaw(database.url)
  const [mission, others] = [randomUUID(), randomUUID()]
  const result = {
    ...exampleOf('worker-result.v1'),
    mission_id: mission,
    task_id: 'first',
    output_text: SECRET,
  }
  for (const [tenant, id] of [
    ['acme', mission],
    ['other', others],
  ] as const) {
    await database.store.tenant(tenant, async tx => {
      await insertArtifact(tx, envelopeOf(id, tenant))
      await insertArtifact(tx, graphOf(id, { first: [], second: ['first'] }))
    })
  }
  await database.store.tenant('acme', async tx => {
    for (const { id } of CONTRACTS.filter(({ name }) => !/^mission_|^worker/.test(name))) {
      const example = exampleOf(id)
      const task = example.task_id ? { task_id: 'first' } : {}
      await insertArtifact(tx, { ...example, mission_id: mission, ...task })
    }
    await insertArtifact(tx, result)
  })
  for (const table of RUN_TABLES)
    await owner.client.query(...spread(runInsertion(table, 'acme', mission)))
  // The role belongs to the whole server, and other tests may be doing the same: it is given, and never taken back.
  await owner.client.query('select pg_advisory_lock(1)')
  await owner.client.query(`alter role ${APPLICATION} login password 'stolen'`)
  await owner.client.query('select pg_advisory_unlock(1)')
  const url = new URL(database.url)
  url.username = APPLICATION
  url.password = 'stolen'
  const intruder = await connectRaw(url.href)
  return {
    database,
    owner,
    intruder,
    mission,
    others,
    result,
    remove: async () => {
      await intruder.end()
      await owner.end()
      await database.remove()
    },
  }
}
