import { createHash } from 'node:crypto'
import type { sql as SqlTag } from 'kysely'
import { WaybillError } from '../error.ts'
import { canonicalJson } from '../ledger/index.ts'
import { artifactTables } from './artifact-tables.generated.ts'
import { loadKysely } from './packages.ts'
import { change, part, type Tx, text } from './tx.ts'

type Sql = typeof SqlTag

/** A kind of artifact, by its schema name. */
export type ArtifactName = keyof typeof artifactTables

/** All kinds of artifacts, in the order in which missions usually produce them. */
export const artifactNames = Object.keys(artifactTables) as readonly ArtifactName[]

/** A stored artifact; an erased one has a tombstone instead of its payload. */
export interface StoredArtifact {
  readonly name: ArtifactName
  /** Its own id; for a graph, its digest. */
  readonly id: string
  /** Hex SHA-256 of the canonical JSON of its payload. */
  readonly digest: string
  readonly payload: Readonly<Record<string, unknown>> | null
  readonly erased: { readonly at: string; readonly by: string; readonly why: string } | null
  /** When the database stored it. */
  readonly recordedAt: Date
}

/** The result of storing an artifact. */
export interface Insertion {
  readonly name: ArtifactName
  /** Its own id; for a graph, its digest. */
  readonly id: string
  readonly digest: string
  readonly isNew: boolean
}

/**
 * Stores an artifact of the tenant; repeating it changes nothing.
 * @throws {WaybillError} 'conflict' when its id has another payload; 'usage' when it is not an artifact.
 */
export async function insertArtifact(
  tx: Tx,
  payload: Readonly<Record<string, unknown>>,
): Promise<Insertion> {
  const put = await putArtifact(tx, payload)
  const { name, id, digest, isNew } = put
  if (isNew) return put
  const there = await readArtifact(tx, name, String(payload.mission_id), id)
  if (there?.digest === digest) return put
  throw isThere(put, ', with other content')
}

/**
 * Stores an artifact that is known to be new, in a single statement that may be the last of its transaction.
 * @throws {WaybillError} 'conflict' when its id is taken; 'usage' when it is not an artifact.
 */
export async function insertNewArtifact(
  tx: Tx,
  payload: Readonly<Record<string, unknown>>,
): Promise<void> {
  const put = await putArtifact(tx, payload)
  if (!put.isNew) throw isThere(put, '')
}

/** Stores an artifact if its id is free. */
async function putArtifact(tx: Tx, payload: Readonly<Record<string, unknown>>): Promise<Insertion> {
  const name = nameOf(payload)
  const written = canonicalJson(payload)
  if (typeof written !== 'string')
    throw new WaybillError('usage', `the artifact cannot be stored: ${written.fault}`)
  const digest = createHash('sha256').update(written).digest('hex')
  const { table, key } = artifactTables[name]
  const inserted = await change(
    tx,
    part`insert into waybill.${text(table)} (digest, payload) values (${digest}, ${written}) on conflict do nothing`,
  )
  const id = key === 'digest' ? digest : String(payload[key])
  return { name, id, digest, isNew: inserted === 1 }
}

function isThere({ name, id }: Insertion, how: string): WaybillError {
  return new WaybillError('conflict', `the ${name} '${id}' already exists${how}`, {
    hint: 'artifacts never change: give the new one another id',
  })
}

/** Returns an artifact of a mission by its own id (a graph by its digest); undefined when there is none. */
export async function readArtifact(
  tx: Tx,
  name: ArtifactName,
  mission: string,
  id: string,
): Promise<StoredArtifact | undefined> {
  const { sql } = await loadKysely()
  const { table, key } = artifactTables[name]
  const { rows } = await sql<Row>`
    select ${sql.ref(key)} as id, digest, payload, tombstone -> 'erased' as erased, recorded_at
    from ${sql.table(`waybill.${table}`)}
    where ${isOwn(sql)} and mission_id = ${mission} and ${sql.ref(key)} = ${id}`.execute(tx)
  return rows[0] && storedArtifact(name, rows[0])
}

/** Returns all artifacts of one kind in a mission, ordered by creation time. */
export async function listArtifacts(
  tx: Tx,
  name: ArtifactName,
  mission: string,
): Promise<readonly StoredArtifact[]> {
  const { sql } = await loadKysely()
  const { table, key } = artifactTables[name]
  const { rows } = await sql<Row>`
    select ${sql.ref(key)} as id, digest, payload, tombstone -> 'erased' as erased, recorded_at
    from ${sql.table(`waybill.${table}`)}
    where ${isOwn(sql)} and mission_id = ${mission}
    order by created_at, ${sql.ref(key)}`.execute(tx)
  return rows.map(row => storedArtifact(name, row))
}

function isArtifactName(name: unknown): name is ArtifactName {
  return typeof name === 'string' && Object.hasOwn(artifactTables, name)
}

interface Row extends Pick<StoredArtifact, 'id' | 'digest' | 'payload' | 'erased'> {
  readonly recorded_at: Date
}

/** Redundant where roles isolate tenants, but lets the index be used. */
function isOwn(sql: Sql) {
  return sql`tenant_id = current_setting('waybill.tenant', true)`
}

function storedArtifact(name: ArtifactName, { recorded_at, ...row }: Row): StoredArtifact {
  return { name, ...row, recordedAt: recorded_at }
}

function nameOf({ schema_name }: Readonly<Record<string, unknown>>): ArtifactName {
  if (isArtifactName(schema_name)) return schema_name
  throw new WaybillError('usage', 'the payload is not a mission artifact', {
    hint: `use one of these for schema_name: ${Object.keys(artifactTables).join(', ')}`,
  })
}
