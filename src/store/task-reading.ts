import { artifactTables } from './artifact-tables.generated.ts'
import type { ArtifactName } from './artifacts.ts'
import { loadKysely } from './packages.ts'
import type { Reason, TaskState } from './runs.ts'
import type { AnsweredBy, Retries, TaskRun } from './tasks.ts'
import { ask, type Part, type Tx, text } from './tx.ts'

type Payload = Readonly<Record<string, unknown>>

/** The input of an attempt, except for its dependencies. */
export interface StartOfTask {
  readonly run: TaskRun
  /** The task's record and the envelope of its mission; null when erased. */
  readonly record: Payload | null
  readonly envelope: Payload | null
  /** The newest prompt package and pass of the task; `{ erased: true }` for an erased pass. */
  readonly prompt: Payload | null
  readonly pass: Payload | null
  readonly token: unknown
  /** Milliseconds since it began to wait or was last queued, by the database clock. */
  readonly waited: number
  readonly answer: unknown
  /** The template and revision of the mission: see `Run`. */
  readonly template: string | null
  readonly revision: number
  /** Milliseconds until the deadline, by the database clock; null for none. */
  readonly msLeft: number | null
  readonly tokensLeft: number | null
}

/** Returns the state of a task; undefined when it does not exist. */
export async function readTask(
  tx: Tx,
  mission: string,
  task: string,
): Promise<TaskRun | undefined> {
  const { sql } = await loadKysely()
  const { rows } = await sql<TaskRow>`
    select ${sql.raw(COLUMNS)} from waybill.task_runs r
      join waybill.colony_tasks t using (tenant_id, mission_id, task_id)
    where r.tenant_id = current_setting('waybill.tenant', true)
      and r.mission_id = ${mission} and r.task_id = ${task}`.execute(tx)
  return rows[0] && taskOf(rows[0])
}

/** Counts the tasks of a mission by state. */
export async function countTasks(
  tx: Tx,
  mission: string,
): Promise<Readonly<Partial<Record<TaskState, number>>>> {
  const { sql } = await loadKysely()
  const { rows } = await sql<{ state: TaskState; n: string }>`
    select state, count(*) as n from waybill.task_runs
    where tenant_id = current_setting('waybill.tenant', true) and mission_id = ${mission}
    group by state`.execute(tx)
  return Object.fromEntries(rows.map(({ state, n }) => [state, Number(n)]))
}

/** Lists the dependencies of a mission's tasks. */
export async function listDependencies(
  tx: Tx,
  mission: string,
): Promise<readonly { readonly task: string; readonly dependsOn: string }[]> {
  const { sql } = await loadKysely()
  const { rows } = await sql<{ task: string; dependsOn: string }>`
    select task_id as task, depends_on as "dependsOn" from waybill.colony_task_dependencies
    where tenant_id = current_setting('waybill.tenant', true) and mission_id = ${mission}`.execute(
    tx,
  )
  return rows
}

/** Reads the input of an attempt; undefined when the task does not exist. */
export async function readStart(
  tx: Tx,
  mission: string,
  task: string,
): Promise<StartOfTask | undefined> {
  const [row] = await ask<StartRow>(tx)`
    select ${text(COLUMNS)}, r.token, r.answer,
      (extract(epoch from clock_timestamp() - r.queued_at) * 1000)::float8 as waited, t.payload as record, e.payload as envelope,
      ${NEWEST_PROMPT} as prompt_package,
      ${NEWEST_PASS} as pass,
      m.template, m.revision, (extract(epoch from m.deadline - clock_timestamp()) * 1000)::bigint as ms_left,
      m.token_budget - m.tokens_used as tokens_left
    from waybill.task_runs r
      join waybill.colony_tasks t using (tenant_id, mission_id, task_id)
      join waybill.mission_runs m using (tenant_id, mission_id)
      join waybill.colony_missions e using (tenant_id, mission_id)
    where r.tenant_id = current_setting('waybill.tenant', true)
      and r.mission_id = ${mission} and r.task_id = ${task}`
  if (!row) return undefined
  return {
    run: taskOf(row),
    record: row.record,
    envelope: row.envelope,
    prompt: row.prompt_package,
    pass: row.pass,
    token: row.token,
    waited: Math.max(0, row.waited ?? 0),
    answer: row.answer,
    template: row.template,
    revision: row.revision,
    msLeft: numberOf(row.ms_left),
    tokensLeft: numberOf(row.tokens_left),
  }
}

const NEWEST_PROMPT = newestIn(artifactTables.prompt_package.table, 'a.payload')
/** An erased pass must not count as none, which would allow more. */
const NEWEST_PASS = newestIn(
  artifactTables.librarian_pass.table,
  `coalesce(a.payload, jsonb_build_object('erased', true))`,
)

/** Selects the newest artifact for the task `r`. */
function newestIn(table: string, payload: string): Part {
  return text(`(
    select ${payload} from waybill.${table} a
    where a.tenant_id = r.tenant_id and a.mission_id = r.mission_id and a.task_id = r.task_id
    order by a.created_at desc, a.recorded_at desc limit 1)`)
}

/** An output of a task. */
export interface Output {
  readonly task: string
  readonly name: ArtifactName
  readonly id: string
  readonly digest: string
  /** Null when erased. */
  readonly payload: Payload | null
}

/** Stores the outputs of a task in order. */
export async function insertOutputs(
  tx: Tx,
  mission: string,
  task: string,
  outputs: readonly Pick<Output, 'name' | 'id' | 'digest'>[],
): Promise<void> {
  if (outputs.length === 0) return
  const rows = outputs.map(({ name, id, digest }, position) => ({ name, id, digest, position }))
  await ask(tx)`
    insert into waybill.task_outputs
      (tenant_id, mission_id, task_id, position, schema_name, artifact_id, digest)
    select current_setting('waybill.tenant'), ${mission}, ${task}, position, name, id, digest
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb)
      as o (name text, id text, digest text, position integer)`
}

/** Returns the outputs of all tasks that a task depends on, directly or indirectly, in graph order. */
export async function readInputs(
  tx: Tx,
  mission: string,
  task: string,
): Promise<readonly Output[]> {
  return ask<Output>(tx)`
    with recursive before (task_id) as (
      select depends_on from waybill.colony_task_dependencies
        where tenant_id = current_setting('waybill.tenant', true)
          and mission_id = ${mission} and task_id = ${task}
      union
      select d.depends_on from before b join waybill.colony_task_dependencies d
        on d.tenant_id = current_setting('waybill.tenant', true)
          and d.mission_id = ${mission} and d.task_id = b.task_id)
    select o.task_id as task, o.schema_name as name, o.artifact_id as id, o.digest,
      ${text(PAYLOAD)} as payload
    from before join waybill.task_runs r
        on r.tenant_id = current_setting('waybill.tenant', true)
          and r.mission_id = ${mission} and r.task_id = before.task_id
      join waybill.task_outputs o
        on o.tenant_id = r.tenant_id and o.mission_id = r.mission_id and o.task_id = r.task_id
    order by r.position, o.position`
}

/** Returns the records of up to `most` tasks that depend on a task, directly or indirectly, in graph order. */
export async function readTasksAfter(
  tx: Tx,
  mission: string,
  task: string,
  most: number,
): Promise<readonly Payload[]> {
  const rows = await ask<{ payload: Payload }>(tx)`
    with recursive later (task_id) as (
      select task_id from waybill.colony_task_dependencies
        where tenant_id = current_setting('waybill.tenant', true)
          and mission_id = ${mission} and depends_on = ${task}
      union
      select d.task_id from later l join waybill.colony_task_dependencies d
        on d.tenant_id = current_setting('waybill.tenant', true)
          and d.mission_id = ${mission} and d.depends_on = l.task_id)
    select t.payload from later join waybill.task_runs r
        on r.tenant_id = current_setting('waybill.tenant', true)
          and r.mission_id = ${mission} and r.task_id = later.task_id
      join waybill.colony_tasks t
        on t.tenant_id = r.tenant_id and t.mission_id = r.mission_id and t.task_id = r.task_id
    where t.payload is not null order by r.position limit ${most}`
  return rows.map(({ payload }) => payload)
}

/** Selects the payload of an output from the table of its kind. */
const PAYLOAD = `case o.schema_name ${Object.entries(artifactTables)
  .filter(([name]) => name !== 'mission_envelope')
  .map(
    ([name, { table, key }]) => `when '${name}' then (select a.payload from waybill.${table} a
        where a.tenant_id = o.tenant_id and a.mission_id = o.mission_id and a.${key} = o.artifact_id)`,
  )
  .join('\n')} end`

const COLUMNS = `r.task_id, r.position, t.role_type, r.agent, r.prompt, r.state, r.attempt, r.failures, r.losses,
  r.retries, r.worker_id, r.waiting_for, r.answered_by, r.handoff_id, r.tokens_used, r.reason, r.started_at, r.ended_at`

interface TaskRow {
  readonly task_id: string
  readonly position: number
  readonly role_type: string
  readonly agent: string
  readonly prompt: string | null
  readonly state: TaskState
  readonly attempt: number
  readonly failures: number
  readonly losses: number
  readonly retries: Retries
  readonly worker_id: string | null
  readonly waiting_for: string | null
  readonly answered_by: AnsweredBy | null
  readonly handoff_id: string | null
  readonly tokens_used: string
  readonly reason: Reason | null
  readonly started_at: Date | null
  readonly ended_at: Date | null
}

interface StartRow extends TaskRow {
  readonly record: Payload | null
  readonly envelope: Payload | null
  readonly prompt_package: Payload | null
  readonly pass: Payload | null
  readonly token: unknown
  readonly waited: number | null
  readonly answer: unknown
  readonly template: string | null
  readonly revision: number
  readonly ms_left: string | null
  readonly tokens_left: string | null
}

function taskOf(row: TaskRow): TaskRun {
  return {
    task: row.task_id,
    position: row.position,
    role: row.role_type,
    agent: row.agent,
    prompt: row.prompt,
    state: row.state,
    attempt: row.attempt,
    failures: row.failures,
    losses: row.losses,
    retries: row.retries,
    worker: row.worker_id,
    waitingFor: row.waiting_for,
    answeredBy: row.answered_by,
    handoff: row.handoff_id,
    tokensUsed: Number(row.tokens_used),
    reason: row.reason,
    startedAt: row.started_at,
    endedAt: row.ended_at,
  }
}

function numberOf(value: string | null): number | null {
  return value === null ? null : Number(value)
}
