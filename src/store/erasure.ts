import type { Client } from 'pg'
import { artifactTables } from './artifact-tables.generated.ts'
import type { ArtifactName } from './artifacts.ts'

/** Which payload is taken away, by whom and why. */
export interface Erasure {
  readonly tenant: string
  readonly artifact: ArtifactName
  readonly mission: string
  /** The digest of the payload, which stays. */
  readonly digest: string
  readonly by: string
  readonly why: string
}

/** Puts a tombstone in the place of a payload; only the owner may. */
export async function eraseArtifact(client: Client, erasure: Erasure): Promise<boolean> {
  const { tenant, artifact, mission, digest, by, why } = erasure
  const table = `waybill.${artifactTables[artifact].table}`
  const { rows } = await client.query(
    'select waybill.erase($1, $2::regclass, $3, $4, $5, $6) as erased',
    [tenant, table, mission, digest, by, why],
  )
  return rows[0].erased
}
