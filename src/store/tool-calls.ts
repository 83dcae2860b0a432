import { loadKysely } from './packages.ts'
import type { Tx } from './tx.ts'

/** The trace of a tool call: metadata, decision and digests, never content. */
export interface ToolCall {
  /** The reference that agents name in `tool_trace_refs`. */
  readonly ref: string
  /** The name given by the agent, safe to display. */
  readonly tool: string
  /** The server; null when the call reached none. */
  readonly server: string | null
  readonly mission: string
  readonly task: string
  readonly attempt: number
  /** Whether the call was passed on. */
  readonly decision: 'allow' | 'deny'
  /** Ids of the deciding policies; empty when none were evaluated. */
  readonly policies: readonly string[]
  /** Hex SHA-256 of the arguments' canonical JSON; null when invalid. */
  readonly argsDigest: string | null
  /** Hex SHA-256 of the tool's text given to the agent; null when there was none. */
  readonly resultDigest: string | null
  /** The size of the result, in bytes. */
  readonly resultBytes: number
  /** How many of these bytes were withheld. */
  readonly cut: number
  readonly isError: boolean
  /** When the agent called. */
  readonly startedAt: string
  /** The duration, in milliseconds. */
  readonly ms: number
}

/** Stores the trace of a call. */
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

/** Lists the references of a task's calls. */
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
