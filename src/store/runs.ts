import { CHANNEL } from './lease.ts'
import { loadKysely } from './packages.ts'
import { ask, Part, part, type Tx, text } from './tx.ts'

/** The state of a mission. */
export type RunState = 'running' | 'paused' | 'finished' | 'failed' | 'cancelled'

/** The state of a task. */
export type TaskState =
  | 'blocked'
  | 'queued'
  | 'running'
  | 'waiting'
  | 'done'
  | 'failed'
  | 'cancelled'

/** Why something failed: a code, a sentence and diagnostics. */
export interface Reason {
  readonly code: string
  readonly message: string
  readonly diagnostics?: readonly unknown[]
}

/** A mission's row. */
export interface Run {
  readonly mission: string
  readonly state: RunState
  readonly template: string | null
  readonly deadline: Date | null
  readonly tokenBudget: number | null
  readonly tokensUsed: number
  /** The number of tasks that are not done, and of those queued, running or waiting. */
  readonly openTasks: number
  readonly activeTasks: number
  /** Counts additions of artifacts that all answers are checked against. */
  readonly revision: number
  readonly reason: Reason | null
  readonly startedAt: Date
  readonly pausedAt: Date | null
  readonly endedAt: Date | null
}

/** A mission to start. */
export interface NewRun {
  readonly mission: string
  readonly template: string | null
  /** Milliseconds until the deadline; null for none. */
  readonly timeBudget: number | null
  readonly tokenBudget: number | null
}

/** Changes to a mission. */
export type RunChange = Partial<Pick<Run, 'state' | 'openTasks' | 'activeTasks' | 'tokensUsed'>> & {
  /** `left` sets the reason of the first failed task, if any. */
  readonly reason?: Reason | null | 'left'
  /** By the database clock. */
  readonly pausedAt?: 'now' | null
  readonly endedAt?: 'now' | null
  /** `extended` extends it by the time of the pause; `restarted` restarts the time budget. */
  readonly deadline?: 'extended' | 'restarted'
}

/** Starts a mission whose envelope is stored. */
export async function insertRun(tx: Tx, run: NewRun): Promise<void> {
  const { sql } = await loadKysely()
  await sql`
    insert into waybill.mission_runs (tenant_id, mission_id, state, template, deadline, token_budget)
    values (current_setting('waybill.tenant'), ${run.mission}, 'running', ${run.template},
      clock_timestamp() + ${run.timeBudget}::bigint * interval '1 millisecond', ${run.tokenBudget}::bigint)`.execute(
    tx,
  )
}

/** Returns the row of a mission; `forUpdate` locks the mission and its tasks. */
export async function readRun(
  tx: Tx,
  mission: string,
  { forUpdate = false } = {},
): Promise<Run | undefined> {
  const [row] = await ask<RunRow>(tx)`
    select ${text(RUN_COLUMNS)} from waybill.mission_runs
    where tenant_id = current_setting('waybill.tenant', true) and mission_id = ${mission}
    ${forUpdate ? part`for update` : part``}`
  return row && runOf(row)
}

/** Lists missions of the tenant, newest first, optionally started before a time. */
export async function listRuns(
  tx: Tx,
  { limit, state, before }: { limit: number; state?: RunState; before?: Date },
): Promise<readonly Run[]> {
  const { sql } = await loadKysely()
  const { rows } = await sql<RunRow>`
    select ${sql.raw(RUN_COLUMNS)} from waybill.mission_runs
    where tenant_id = current_setting('waybill.tenant', true)
      ${state === undefined ? sql`` : sql`and state = ${state}`}
      ${before === undefined ? sql`` : sql`and started_at < ${before}`}
    order by started_at desc, mission_id limit ${limit}`.execute(tx)
  return rows.map(runOf)
}

/** Updates a mission; the caller holds its row lock. */
export async function updateRun(tx: Tx, mission: string, change: RunChange): Promise<void> {
  const sets = Object.entries(change).map(([member, value]) => {
    if (member === 'deadline') return text(value === 'restarted' ? RESTARTED : EXTENDED)
    if (member === 'reason' && value === 'left') return text(LEFT)
    const column = CHANGED[member as keyof typeof CHANGED]
    if (value === 'now') return text(`${column} = clock_timestamp()`)
    return part`${text(column)} = ${column === 'reason' ? jsonText(value) : value}`
  })
  const between = sets.slice(1).map(() => ', ')
  await ask(tx)`
    update waybill.mission_runs set ${new Part(['', ...between, ''], sets)}
    where tenant_id = current_setting('waybill.tenant', true) and mission_id = ${mission}`
}

const RESTARTED = `deadline = clock_timestamp() + (
  select (payload ->> 'time_budget_ms')::bigint from waybill.colony_missions e
  where e.tenant_id = mission_runs.tenant_id and e.mission_id = mission_runs.mission_id) * interval '1 millisecond'`

const LEFT = `reason = (
  select jsonb_build_object('code', t.reason ->> 'code', 'message', t.task_id || ': ' || (t.reason ->> 'message'))
  from waybill.task_runs t where t.tenant_id = mission_runs.tenant_id and t.mission_id = mission_runs.mission_id
    and t.state = 'failed' order by t.ended_at, t.position limit 1)`

const EXTENDED =
  'deadline = deadline + (clock_timestamp() - coalesce(paused_at, clock_timestamp()))'

/** Notifies workers of a mission when the transaction commits. */
export async function notifyWorkers(tx: Tx, mission: string): Promise<void> {
  const { sql } = await loadKysely()
  await sql`select pg_notify(${CHANNEL}, ${mission})`.execute(tx)
}

const CHANGED = {
  state: 'state',
  reason: 'reason',
  openTasks: 'open_tasks',
  activeTasks: 'active_tasks',
  tokensUsed: 'tokens_used',
  pausedAt: 'paused_at',
  endedAt: 'ended_at',
} as const

interface RunRow {
  readonly mission_id: string
  readonly state: RunState
  readonly template: string | null
  readonly deadline: Date | null
  readonly token_budget: string | null
  readonly tokens_used: string
  readonly open_tasks: number
  readonly active_tasks: number
  readonly revision: number
  readonly reason: Reason | null
  readonly started_at: Date
  readonly paused_at: Date | null
  readonly ended_at: Date | null
}

const RUN_COLUMNS =
  'mission_id, state, template, deadline, token_budget, tokens_used, open_tasks, active_tasks, revision, reason, started_at, paused_at, ended_at'

function runOf(row: RunRow): Run {
  return {
    mission: row.mission_id,
    state: row.state,
    template: row.template,
    deadline: row.deadline,
    tokenBudget: row.token_budget === null ? null : Number(row.token_budget),
    tokensUsed: Number(row.tokens_used),
    openTasks: row.open_tasks,
    activeTasks: row.active_tasks,
    revision: row.revision,
    reason: row.reason,
    startedAt: row.started_at,
    pausedAt: row.paused_at,
    endedAt: row.ended_at,
  }
}

/** Serializes JSON, since the driver would convert lists to PostgreSQL arrays. */
export function jsonText(value: unknown): string | null {
  return value === null || value === undefined ? null : JSON.stringify(value)
}
