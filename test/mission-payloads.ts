import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { canonicalJson } from '../src/ledger/index.ts'
import { artifactTables } from '../src/store/artifact-tables.generated.ts'

/** A mission artifact as a test writes it. */
export type Payload = Readonly<Record<string, unknown>>

/** The mission that the examples of all contracts belong to. */
export const MISSION = '3f1c9a52-8f0e-4c55-9b1a-6b8f2f0f7a10'

/** The sorts of artifacts, and the contract that each is a document of. */
export const CONTRACTS = Object.keys(artifactTables).map(name => ({
  name: name as keyof typeof artifactTables,
  id: `${name.replaceAll('_', '-')}.v1`,
}))

/** The specification's own example of a sort of artifact. */
export function exampleOf(id: string): Payload {
  const file = join(import.meta.dirname, '../src/contracts', id, 'fixtures/valid/example.json')
  return JSON.parse(readFileSync(file, 'utf8'))
}

/** The envelope of a mission. */
export function envelopeOf(mission: string, tenant: string, more: Payload = {}): Payload {
  return {
    ...exampleOf('mission-envelope.v1'),
    mission_id: mission,
    tenant_id: tenant,
    ...more,
  }
}

/** A graph of tasks, each with the ids of those that it waits for. */
export function graphOf(
  mission: string,
  tasks: Readonly<Record<string, readonly string[]>>,
): Payload {
  const [example] = exampleOf('mission-task-graph.v1').tasks as Payload[]
  return {
    ...exampleOf('mission-task-graph.v1'),
    mission_id: mission,
    tasks: Object.entries(tasks).map(([task_id, depends_on]) => ({
      ...example,
      task_id,
      depends_on,
    })),
  }
}

/** What names a payload: hex SHA-256 of its canonical JSON. */
export function digestOf(payload: unknown): string {
  return createHash('sha256')
    .update(String(canonicalJson(payload)))
    .digest('hex')
}

/** The statement that stores a payload in the table of its sort, and its values. */
export function insertionOf(
  name: keyof typeof artifactTables,
  payload: unknown,
  tenant: string,
): readonly [sql: string, values: readonly unknown[]] {
  return [
    `insert into waybill.${artifactTables[name].table} (tenant_id, digest, payload) values ($1, $2, $3::jsonb)`,
    [tenant, digestOf(payload), JSON.stringify(payload)],
  ]
}
