import { loadKysely } from './packages.ts'
import type { RunState } from './runs.ts'
import type { Tx } from './tx.ts'

/** A mission made from an orchestration file. */
export interface PipelineMission {
  readonly mission: string
  readonly state: RunState
  /** The workflow id in the file at that time. */
  readonly workflow: string | null
}

/** Identifies an orchestration file. */
export interface WhichPipeline {
  /** The path from the root. */
  readonly file: string
  /** The log origin of its repository, since other repositories may have the same path. */
  readonly installation: string
  /** The worktree of the repository; empty for the first. */
  readonly worktree: string
}

/** Lists the tenant's missions made from an orchestration file, newest first. */
export async function listPipelineMissions(
  tx: Tx,
  { file, installation, worktree }: WhichPipeline,
): Promise<readonly PipelineMission[]> {
  const { sql } = await loadKysely()
  const { rows } = await sql<PipelineMission>`
    select m.mission_id as mission, m.state, e.payload -> 'context_refs' ->> 'workflow' as workflow
    from waybill.colony_missions e join waybill.mission_runs m using (tenant_id, mission_id)
    where e.tenant_id = current_setting('waybill.tenant', true)
      and e.payload ->> 'mission_type' = 'pipeline'
      and e.payload -> 'context_refs' ->> 'orchestration' = ${file}
      and coalesce(e.payload -> 'context_refs' ->> 'installation', ${installation}) = ${installation}
      and coalesce(e.payload -> 'context_refs' ->> 'worktree', ${worktree}) = ${worktree}
    order by m.started_at desc, m.mission_id`.execute(tx)
  return rows
}

/**
 * Returns another running or paused mission of the tenant with the same orchestration file as a stored mission. Locks
 * the file until the transaction ends.
 */
export async function readPipelineMissionOnSameFile(
  tx: Tx,
  mission: string,
): Promise<(PipelineMission & { readonly file: string }) | undefined> {
  const { sql } = await loadKysely()
  const own = sql`
    select payload -> 'context_refs' ->> 'orchestration' as file, payload -> 'context_refs' ->> 'installation' as installation,
      payload -> 'context_refs' ->> 'worktree' as worktree
    from waybill.colony_missions where tenant_id = current_setting('waybill.tenant', true)
      and mission_id = ${mission} and payload ->> 'mission_type' = 'pipeline'`
  const { rows: found } = await sql<{ readonly file: string | null }>`
    select file, pg_advisory_xact_lock(
      hashtextextended('waybill pipeline ' || current_setting('waybill.tenant', true) || ' ' || file, 0))::text
    from (${own}) own where file is not null`.execute(tx)
  if (found.length === 0) return undefined
  const { rows } = await sql<PipelineMission & { readonly file: string }>`
    select m.mission_id as mission, m.state, own.file, e.payload -> 'context_refs' ->> 'workflow' as workflow
    from (${own}) own, waybill.colony_missions e join waybill.mission_runs m using (tenant_id, mission_id)
    where e.tenant_id = current_setting('waybill.tenant', true) and m.mission_id <> ${mission}
      and m.state in ('running', 'paused') and e.payload ->> 'mission_type' = 'pipeline'
      and e.payload -> 'context_refs' ->> 'orchestration' = own.file
      and coalesce(e.payload -> 'context_refs' ->> 'installation' = own.installation, true)
      and coalesce(e.payload -> 'context_refs' ->> 'worktree' = own.worktree, true)
    order by m.started_at desc, m.mission_id limit 1`.execute(tx)
  return rows[0]
}
