import type { Client } from 'pg'
import { artifactTables } from './artifact-tables.generated.ts'
import type { ArtifactName } from './artifacts.ts'

/** The payload to erase, the person and the reason. */
export interface Erasure {
  readonly tenant: string
  readonly artifact: ArtifactName
  readonly mission: string
  /** The digest of the payload, which is kept. */
  readonly digest: string
  readonly by: string
  readonly why: string
}

/** Replaces a payload by a tombstone; only the owner may do so. */
export async function eraseArtifact(client: Client, erasure: Erasure): Promise<boolean> {
  const { tenant, artifact, mission, digest, by, why } = erasure
  const table = `waybill.${artifactTables[artifact].table}`
  const { rows } = await client.query(
    'select waybill.erase($1, $2::regclass, $3, $4, $5, $6) as erased',
    [tenant, table, mission, digest, by, why],
  )
  return rows[0].erased
}
