import { loadKysely } from './packages.ts'
import type { RunState } from './runs.ts'
import type { Tx } from './tx.ts'

/** A mission that was made of an orchestration file. */
export interface PipelineMission {
  readonly mission: string
  readonly state: RunState
  /** The id of the workflow that the file described then. */
  readonly workflow: string | null
}

/** An orchestration file. */
export interface WhichPipeline {
  /** From the root. */
  readonly file: string
  /** The log of its repository: others may have a file of that path too. */
  readonly installation: string
  /** Which of the worktrees of that; empty for the first one. */
  readonly worktree: string
}

/** The missions of the tenant that were made of an orchestration file, the newest first. */
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
 * Another mission of the tenant that runs, or is paused, and was made of the same orchestration file as a mission whose
 * envelope is stored. Who asks at the same time for another mission of that file waits until the transaction has ended.
 */
export async function readPipelineMissionBeside(
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
