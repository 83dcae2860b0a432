import type {
  MissionDecision,
  MissionOutput,
  MissionRun,
  MissionTask,
  MissionToolCall,
} from './mission-reading.ts'
import { loadKysely } from './packages.ts'
import { listDependencies } from './task-reading.ts'
import type { Tx } from './tx.ts'

/** Locks a mission against concurrent restores until the transaction ends. */
export async function lockMission(tx: Tx, mission: string): Promise<void> {
  const { sql } = await loadKysely()
  await sql`select pg_advisory_xact_lock(hashtextextended(
    current_setting('waybill.tenant') || ' ' || ${mission}::uuid::text, 0))`.execute(tx)
}

/** Restores the state of a mission whose artifacts are stored, without queuing anything. */
export async function restoreRun(tx: Tx, mission: string, run: MissionRun): Promise<void> {
  await restore(tx, mission, [run], {
    table: 'mission_runs',
    columns: {
      state: 'text',
      template: 'text',
      deadline: 'timestamptz',
      tokenBudget: 'bigint',
      tokensUsed: 'bigint',
      openTasks: 'integer',
      activeTasks: 'integer',
      reason: 'jsonb',
      startedAt: 'timestamptz',
      pausedAt: 'timestamptz',
      endedAt: 'timestamptz',
    },
  })
}

/** Restores the states of tasks; their open dependencies follow from the graphs. */
export async function restoreTasks(
  tx: Tx,
  mission: string,
  tasks: readonly MissionTask[],
): Promise<void> {
  // Count here: without statistics of the new rows the server would scan all tasks for each.
  const done = new Set(tasks.flatMap(({ task, state }) => (state === 'done' ? [task] : [])))
  const open = new Map<string, number>()
  for (const { task, dependsOn } of await listDependencies(tx, mission))
    if (!done.has(dependsOn)) open.set(task, (open.get(task) ?? 0) + 1)
  const rows = tasks.map(one => ({ ...one, openDependencies: open.get(one.task) ?? 0 }))
  await restore(tx, mission, rows, {
    table: 'task_runs',
    columns: {
      openDependencies: 'integer',
      task: 'text',
      position: 'integer',
      agent: 'text',
      prompt: 'text',
      state: 'text',
      attempt: 'integer',
      failures: 'integer',
      losses: 'integer',
      retries: 'jsonb',
      waitingFor: 'text',
      token: 'jsonb',
      answer: 'jsonb',
      answeredBy: 'jsonb',
      handoff: 'uuid',
      tokensUsed: 'bigint',
      reason: 'jsonb',
      startedAt: 'timestamptz',
      endedAt: 'timestamptz',
    },
  })
}

/** Restores the outputs of tasks. */
export async function restoreOutputs(
  tx: Tx,
  mission: string,
  outputs: readonly MissionOutput[],
): Promise<void> {
  await restore(tx, mission, outputs, {
    table: 'task_outputs',
    columns: { task: 'text', position: 'integer', name: 'text', id: 'text', digest: 'text' },
  })
}

/** Restores the tool call trace. */
export async function restoreToolCalls(
  tx: Tx,
  mission: string,
  calls: readonly MissionToolCall[],
): Promise<void> {
  await restore(tx, mission, calls, {
    table: 'tool_calls',
    columns: {
      ref: 'text',
      task: 'text',
      attempt: 'integer',
      tool: 'text',
      server: 'text',
      decision: 'text',
      policies: 'text[]',
      argumentsDigest: 'text',
      resultDigest: 'text',
      resultBytes: 'bigint',
      isCut: 'boolean',
      isError: 'boolean',
      startedAt: 'timestamptz',
      ms: 'integer',
    },
  })
}

/** Restores decisions and outcomes of write-backs; unfinished deliveries are not sent from here. */
export async function restoreDecisions(
  tx: Tx,
  mission: string,
  decisions: readonly MissionDecision[],
): Promise<void> {
  await restore(tx, mission, decisions, {
    table: 'proposal_decisions',
    columns: {
      proposal: 'text',
      digest: 'text',
      decision: 'text',
      decidedBy: 'text',
      standing: 'text',
      why: 'text',
      statement: 'jsonb',
      decidedAt: 'timestamptz',
      expiresAt: 'timestamptz',
      entry: 'text',
    },
  })
  const ended = decisions.flatMap(({ proposal, outcome }) =>
    outcome ? [{ proposal, ...outcome }] : [],
  )
  await restore(tx, mission, ended, {
    table: 'writeback_outbox',
    columns: {
      proposal: 'text',
      state: 'text',
      attempts: 'integer',
      outcome: 'jsonb',
      endedAt: 'timestamptz',
    },
  })
}

/** Columns whose name differs from their member. */
const COLUMNS: Readonly<Record<string, string>> = {
  task: 'task_id',
  proposal: 'proposal_id',
  handoff: 'handoff_id',
  name: 'schema_name',
  id: 'artifact_id',
}

interface Restored {
  readonly table: string
  /** The SQL type of each member. */
  readonly columns: Readonly<Record<string, string>>
}

async function restore(
  tx: Tx,
  mission: string,
  rows: readonly object[],
  { table, columns }: Restored,
): Promise<void> {
  if (rows.length === 0) return
  const { sql } = await loadKysely()
  const members = Object.keys(columns)
  const names = members.map(member => COLUMNS[member] ?? snakeCase(member))
  const types = members.map(member => `"${member}" ${columns[member]}`)
  await sql`
    with given as materialized (
      select ${mission}::uuid as mission, g.*
      from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as g (${sql.raw(types.join(', '))}))
    insert into ${sql.table(`waybill.${table}`)}
      (tenant_id, mission_id, ${sql.raw(names.join(', '))})
    select current_setting('waybill.tenant'), mission,
      ${sql.raw(members.map(member => `given."${member}"`).join(', '))}
    from given`.execute(tx)
}

function snakeCase(member: string): string {
  return member.replace(/[A-Z]/g, letter => `_${letter.toLowerCase()}`)
}
