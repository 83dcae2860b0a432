import { loadKysely } from './packages.ts'
import type { Tx } from './tx.ts'

/** What stays of a call of a tool: digests, never what was said. */
export interface ToolCall {
  readonly ref: string
  readonly tool: string
  readonly server: string | null
  readonly mission: string
  readonly task: string
  readonly attempt: number
  readonly decision: 'allow' | 'deny'
  readonly policies: readonly string[]
  readonly argsDigest: string | null
  readonly resultDigest: string | null
  readonly resultBytes: number
  /** How many bytes of the result were withheld. */
  readonly cut: number
  readonly isError: boolean
  /** ISO 8601. */
  readonly startedAt: string
  readonly ms: number
}

/** Keeps the trace of a call. */
export async function insertToolCall(tx: Tx, call: ToolCall): Promise<void> {
  const { sql } = await loadKysely()
  await sql`
    insert into waybill.tool_calls
      (tenant_id, mission_id, task_id, ref, attempt, tool, server, decision, policies, arguments_digest,
        result_digest, result_bytes, is_cut, is_error, started_at, ms)
    values (current_setting('waybill.tenant'), ${call.mission}, ${call.task}, ${call.ref}, ${call.attempt},
      ${call.tool}, ${call.server}, ${call.decision}, ${call.policies as string[]}, ${call.argsDigest},
      ${call.resultDigest}, ${call.resultBytes}, ${call.cut > 0}, ${call.isError}, ${call.startedAt},
      ${Math.round(call.ms)})`.execute(tx)
}

/** The names of the calls that a task has made. */
export async function listToolRefs(
  tx: Tx,
  mission: string,
  task: string,
): Promise<readonly string[]> {
  const { sql } = await loadKysely()
  const { rows } = await sql<{ ref: string }>`
    select ref from waybill.tool_calls
    where tenant_id = current_setting('waybill.tenant', true)
      and mission_id = ${mission} and task_id = ${task}`.execute(tx)
  return rows.map(({ ref }) => ref)
}
