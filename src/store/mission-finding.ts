import { artifactTables } from './artifact-tables.generated.ts'
import { loadKysely } from './packages.ts'
import type { Tx } from './tx.ts'

/**
 * Finds the tenant's missions with an id or digest of an artifact, task, handoff, tool call or decision entry, newest
 * first.
 */
export async function findMissionsWith(
  tx: Tx,
  id: string,
  limit: number,
): Promise<readonly string[]> {
  // PostgreSQL text cannot contain null characters.
  if (id.includes('\0')) return []
  const { sql } = await loadKysely()
  const own = sql`tenant_id = current_setting('waybill.tenant', true)`
  const artifacts = Object.values(artifactTables).map(
    ({ table, key }) => sql`
      select mission_id from waybill.${sql.raw(table)}
      where ${own} and (${sql.raw(key)}::text = ${id} or digest = ${id})`,
  )
  const { rows } = await sql<{ mission: string }>`
    select mission_id as mission from waybill.mission_runs
    where ${own} and mission_id in (
      ${sql.join(artifacts, sql` union all `)}
      union all select mission_id from waybill.task_runs
        where ${own} and (task_id = ${id} or handoff_id::text = ${id})
      union all select mission_id from waybill.tool_calls where ${own} and ref = ${id}
      union all select mission_id from waybill.proposal_decisions where ${own} and entry = ${id})
    order by started_at desc, mission_id limit ${limit}`.execute(tx)
  return rows.map(({ mission }) => mission)
}
