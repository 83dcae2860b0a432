import { loadKysely } from './packages.ts'
import type { Tx } from './tx.ts'

/** What stays of one call of a tool: who called what when, what was decided and why, and digests, never what was said. */
export interface ToolCall {
  /** The name of the call, which agents give in `tool_trace_refs`. */
  readonly ref: string
  /** As the agent named it, made fit to be shown. */
  readonly tool: string
  /** Which server has it; null where the call went to none. */
  readonly server: string | null
  readonly mission: string
  readonly task: string
  readonly attempt: number
  /** Whether the call was passed on. */
  readonly decision: 'allow' | 'deny'
  /** Ids of the policies that decided; none where no policy was asked. */
  readonly policies: readonly string[]
  /** SHA-256 in hex of the canonical JSON of the arguments; null where they were none. */
  readonly argsDigest: string | null
  /** SHA-256 in hex of the words of the tool that the agent was given; null where there were none. */
  readonly resultDigest: string | null
  /** How large the result was, in bytes. */
  readonly resultBytes: number
  /** How many bytes of it the agent was not given. */
  readonly cut: number
  readonly isError: boolean
  /** When the agent called. */
  readonly startedAt: string
  /** How long it took, in milliseconds. */
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
