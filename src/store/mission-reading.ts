import { artifactTables } from './artifact-tables.generated.ts'
import type { ArtifactName } from './artifacts.ts'
import { loadKysely } from './packages.ts'
import { type Reason, type RunState, readRun, type TaskState } from './runs.ts'
import type { AnsweredBy, Retries } from './tasks.ts'
import type { Tx } from './tx.ts'

type Payload = Readonly<Record<string, unknown>>

/** The complete state of a mission as plain JSON: times in ISO 8601, lists in a defined order. */
export interface MissionSnapshot {
  readonly mission: string
  /** By kind and id. */
  readonly artifacts: readonly MissionArtifact[]
  readonly run: MissionRun
  /** In graph order. */
  readonly tasks: readonly MissionTask[]
  /** By task and position. */
  readonly outputs: readonly MissionOutput[]
  /** By reference. */
  readonly toolCalls: readonly MissionToolCall[]
  /** By proposal. */
  readonly decisions: readonly MissionDecision[]
}

/** An artifact of a mission; an erased one has a tombstone instead of its payload. */
export interface MissionArtifact {
  readonly name: ArtifactName
  /** Its own id; for a graph, its digest. */
  readonly id: string
  /** Hex SHA-256 of the canonical JSON of its payload. */
  readonly digest: string
  readonly payload: Payload | null
  readonly tombstone: Payload | null
}

/** The state of a mission. */
export interface MissionRun {
  readonly state: RunState
  readonly template: string | null
  readonly deadline: string | null
  readonly tokenBudget: number | null
  readonly tokensUsed: number
  readonly openTasks: number
  readonly activeTasks: number
  readonly reason: Reason | null
  readonly startedAt: string
  readonly pausedAt: string | null
  readonly endedAt: string | null
}

/** The state of a task, without its worker. */
export interface MissionTask {
  readonly task: string
  readonly position: number
  readonly agent: string
  readonly prompt: string | null
  readonly state: TaskState
  readonly attempt: number
  readonly failures: number
  readonly losses: number
  readonly retries: Partial<Retries>
  readonly waitingFor: string | null
  readonly token: unknown
  readonly answer: unknown
  /** Absent without an answer by a person, or when answered before answers were attributed. */
  readonly answeredBy?: AnsweredBy
  readonly handoff: string | null
  readonly tokensUsed: number
  readonly reason: Reason | null
  readonly startedAt: string | null
  readonly endedAt: string | null
}

/** An artifact that a task produced. */
export interface MissionOutput {
  readonly task: string
  readonly position: number
  readonly name: string
  readonly id: string
  readonly digest: string
}

/** The trace of a tool call. */
export interface MissionToolCall {
  readonly ref: string
  readonly task: string
  readonly attempt: number
  readonly tool: string
  readonly server: string | null
  readonly decision: string
  readonly policies: readonly string[]
  readonly argumentsDigest: string | null
  readonly resultDigest: string | null
  readonly resultBytes: number
  readonly isCut: boolean
  readonly isError: boolean
  readonly startedAt: string
  readonly ms: number
}

/** A decision on a proposed write-back, with its outcome. */
export interface MissionDecision {
  readonly proposal: string
  readonly digest: string
  readonly decision: string
  readonly decidedBy: string
  readonly standing: string
  readonly why: string
  readonly statement: unknown
  readonly decidedAt: string
  readonly expiresAt: string | null
  readonly entry: string | null
  /** Null until there is an outcome; `pending` while the outcome is being recorded. */
  readonly outcome: {
    readonly state: string
    readonly attempts: number
    readonly outcome: unknown
    readonly endedAt: string | null
  } | null
}

/** Reads the complete state of a mission and locks it against changes; undefined when it does not exist. */
export async function readSnapshot(tx: Tx, mission: string): Promise<MissionSnapshot | undefined> {
  const run = await readRun(tx, mission, { forUpdate: true })
  if (!run) return undefined
  // The revision is internal to workers.
  const { mission: id, revision: _, ...rest } = run
  return {
    mission: id,
    artifacts: await listMissionArtifacts(tx, id),
    run: plain(rest) as unknown as MissionRun,
    tasks: (await rowsOf<MissionTask>(tx, id, TASKS)).map(dropEmptyAnsweredBy),
    outputs: await rowsOf<MissionOutput>(tx, id, OUTPUTS),
    toolCalls: await rowsOf<MissionToolCall>(tx, id, TOOL_CALLS),
    decisions: await rowsOf<MissionDecision>(tx, id, DECISIONS),
  }
}

async function listMissionArtifacts(tx: Tx, mission: string): Promise<readonly MissionArtifact[]> {
  const found: MissionArtifact[] = []
  for (const [name, { table, key }] of Object.entries(artifactTables)) {
    const rows = await rowsOf<Omit<MissionArtifact, 'name'>>(tx, mission, {
      columns: `${key}::text as id, digest, payload, tombstone`,
      from: table,
      order: `${key}::text collate "C"`,
    })
    for (const row of rows) found.push({ name: name as ArtifactName, ...row })
  }
  return found
}

function dropEmptyAnsweredBy({ answeredBy, ...task }: MissionTask): MissionTask {
  return answeredBy ? { ...task, answeredBy } : task
}

interface Wanted {
  readonly columns: string
  readonly from: string
  readonly order: string
}

const TASKS: Wanted = {
  columns: `task_id as task, position, agent, prompt, state, attempt, failures, losses, retries,
    waiting_for as "waitingFor", token, answer, answered_by as "answeredBy", handoff_id as handoff,
    tokens_used::float8 as "tokensUsed", reason, started_at as "startedAt", ended_at as "endedAt"`,
  from: 'task_runs',
  order: 'position',
}

const OUTPUTS: Wanted = {
  columns: 'task_id as task, position, schema_name as name, artifact_id as id, digest',
  from: 'task_outputs',
  order: 'task_id collate "C", position',
}

const TOOL_CALLS: Wanted = {
  columns: `ref, task_id as task, attempt, tool, server, decision, policies,
    arguments_digest as "argumentsDigest", result_digest as "resultDigest",
    result_bytes::float8 as "resultBytes", is_cut as "isCut", is_error as "isError",
    started_at as "startedAt", ms`,
  from: 'tool_calls',
  order: 'ref collate "C"',
}

const DECISIONS: Wanted = {
  columns: `d.proposal_id as proposal, d.digest, d.decision, d.decided_by as "decidedBy", d.standing,
    d.why, d.statement, d.decided_at as "decidedAt", d.expires_at as "expiresAt", d.entry,
    case when o.state <> 'pending' or o.ended_at is null and o.outcome ->> 'is' in ('delivered', 'failed') then json_build_object('state', o.state, 'attempts', o.attempts,
      'outcome', o.outcome,
      'endedAt', to_char(date_trunc('milliseconds', o.ended_at) at time zone 'UTC',
        'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')) end as outcome`,
  from: `proposal_decisions d left join waybill.writeback_outbox o
    using (tenant_id, mission_id, proposal_id)`,
  order: 'd.proposal_id collate "C"',
}

async function rowsOf<Row>(
  tx: Tx,
  mission: string,
  { columns, from, order }: Wanted,
): Promise<readonly Row[]> {
  const { sql } = await loadKysely()
  const { rows } = await sql<Payload>`
    select ${sql.raw(columns)} from waybill.${sql.raw(from)}
    where tenant_id = current_setting('waybill.tenant', true) and mission_id = ${mission}
    order by ${sql.raw(order)}`.execute(tx)
  return rows.map(plain) as unknown as readonly Row[]
}

function plain(row: object): Payload {
  const members = Object.entries(row)
  return Object.fromEntries(
    members.map(([key, value]) => [key, value instanceof Date ? value.toISOString() : value]),
  )
}

/** Returns the objectives of tasks by id, without erased ones. */
export async function readObjectives(
  tx: Tx,
  mission: string,
): Promise<ReadonlyMap<string, string>> {
  const { sql } = await loadKysely()
  const { rows } = await sql<{ task: string; objective: string | null }>`
    select task_id as task, payload ->> 'objective' as objective from waybill.colony_tasks
    where tenant_id = current_setting('waybill.tenant', true) and mission_id = ${mission}`.execute(
    tx,
  )
  return new Map(
    rows.flatMap(({ task, objective }) => (objective === null ? [] : [[task, objective]])),
  )
}
