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
  /** The role of the application with a password of its own, as somebody would have it who stole it. */
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

/** Every table whose rows belong to tenants. */
export const TENANT_TABLES = [
  ...Object.values(artifactTables).map(({ table }) => table),
  'colony_tasks',
  'colony_task_dependencies',
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
