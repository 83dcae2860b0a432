import { loadKysely } from './packages.ts'
import type { RunState } from './runs.ts'
import type { Tx } from './tx.ts'

/** A mission that was made of an orchestration file. */
export interface PipelineMission {
  readonly mission: string
  readonly state: RunState
}

/** An orchestration file. */
export interface WhichPipeline {
  /** From the root. */
  readonly file: string
  readonly workflow: string | null
  /** The log of its repository: others may have a file of that path too. */
  readonly installation: string
}

/** The missions of the tenant that were made of an orchestration file, the newest first. */
export async function listPipelineMissions(
  tx: Tx,
  { file, workflow, installation }: WhichPipeline,
): Promise<readonly PipelineMission[]> {
  const { sql } = await loadKysely()
  const { rows } = await sql<PipelineMission>`
    select m.mission_id as mission, m.state from waybill.colony_missions e
      join waybill.mission_runs m using (tenant_id, mission_id)
    where e.tenant_id = current_setting('waybill.tenant', true)
      and e.payload ->> 'mission_type' = 'pipeline'
      and e.payload -> 'context_refs' ->> 'orchestration' = ${file}
      and coalesce(e.payload -> 'context_refs' ->> 'installation', ${installation}) = ${installation}
      and e.payload -> 'context_refs' ->> 'workflow' is not distinct from ${workflow}::text
    order by m.started_at desc, m.mission_id`.execute(tx)
  return rows
}
