import type { ArtifactName } from './artifacts.ts'
import { loadKysely } from './packages.ts'
import type { Reason, RunState, TaskState } from './runs.ts'
import type { Output } from './task-reading.ts'
import type { AnsweredBy, TaskRun } from './tasks.ts'
import type { Tx } from './tx.ts'

/** A task in a drawn graph. */
export type TaskNode = Pick<TaskRun, 'task' | 'role' | 'agent' | 'state' | 'attempt'>

/** A dependency, by indexes into the task list. */
export interface TaskEdge {
  readonly task: number
  readonly dependsOn: number
}

/** The tasks of a mission in graph order, and their dependencies in no order. */
export interface TaskGraph<Task = TaskNode> {
  readonly state: RunState
  readonly tasks: readonly Task[]
  readonly edges: readonly TaskEdge[]
}

/** The progress of a task, with dependencies in no order; times in milliseconds since the epoch. */
export interface TaskProgress
  extends Omit<
    TaskRun,
    'position' | 'prompt' | 'losses' | 'retries' | 'worker' | 'startedAt' | 'endedAt'
  > {
  readonly dependsOn: readonly string[]
  readonly startedAt: number | null
  readonly endedAt: number | null
}

/** Reads the task graph of a mission; undefined when the mission does not exist. */
export function readTaskGraph(tx: Tx, mission: string): Promise<TaskGraph | undefined> {
  return readAll<DrawnGroup, Named<TaskNode>>(tx, mission, DRAWN, (group, i) => ({
    task: group.tasks?.[i] ?? '',
    role: MOST_COMMON_ROLE,
    agent: group.agent,
    state: group.state,
    attempt: group.attempt,
  }))
}

/** Lists the progress of all tasks of a mission, in graph order. */
export async function listProgress(tx: Tx, mission: string): Promise<readonly TaskProgress[]> {
  const found = await readAll<ProgressGroup, MutableProgress>(
    tx,
    mission,
    PROGRESS,
    (group, i) => ({
      task: group.tasks?.[i] ?? '',
      role: MOST_COMMON_ROLE,
      agent: group.agent,
      state: group.state,
      dependsOn: NONE,
      attempt: group.attempt,
      failures: group.failures,
      waitingFor: group.waitingFor?.[i] ?? null,
      answeredBy: group.answeredBy?.[i] ?? null,
      handoff: group.handoffs?.[i] ?? null,
      tokensUsed: group.tokensUsed?.[i] ?? 0,
      reason: group.reasons?.[i] ?? null,
      startedAt: millisecondsOf(group.startedAt?.[i]),
      endedAt: millisecondsOf(group.endedAt?.[i]),
    }),
  )
  const { tasks = [], edges = [] } = found ?? {}
  for (const { task, dependsOn } of edges) {
    const [waiting, awaited] = [tasks[task], tasks[dependsOn]]
    if (!waiting || !awaited) continue
    if (waiting.dependsOn === NONE) waiting.dependsOn = [awaited.task]
    else waiting.dependsOn.push(awaited.task)
  }
  return tasks
}

/** Common values of several tasks, and parallel lists of the others. */
interface DrawnGroup {
  readonly run: RunState
  readonly agent: string
  readonly state: TaskState
  readonly attempt: number
  /** Null when the mission has no task. */
  readonly tasks: readonly string[] | null
  readonly positions: readonly number[] | null
}

/** Null lists have no values. */
interface ProgressGroup extends DrawnGroup {
  readonly failures: number
  readonly waitingFor: readonly (string | null)[] | null
  readonly answeredBy: readonly (AnsweredBy | null)[] | null
  readonly handoffs: readonly (string | null)[] | null
  readonly tokensUsed: readonly number[] | null
  readonly reasons: readonly (Reason | null)[] | null
  /** In seconds since the epoch. */
  readonly startedAt: readonly (number | null)[] | null
  readonly endedAt: readonly (number | null)[] | null
}

/** The common columns of groups, and the listed ones. */
interface GroupColumns {
  readonly common: string
  readonly lists: string
}

const DRAWN: GroupColumns = { common: 'agent, state, attempt', lists: '' }

const PROGRESS: GroupColumns = {
  common: 'agent, state, attempt, failures, has_begun',
  lists: Object.entries({
    waitingFor: 'waiting_for',
    answeredBy: 'answered_by',
    handoffs: 'handoff_id',
    tokensUsed: 'tokens_used',
    reasons: 'reason',
    startedAt: `date_part('epoch', started_at)`,
    endedAt: `date_part('epoch', ended_at)`,
  })
    .map(([name, column]) => `, json_agg(${column}) filter (where has_begun) as "${name}"`)
    .join(''),
}

/** Whether a task has values to list: lists of nulls would be as slow as others. */
const HAS_BEGUN = `(handoff_id is not null or started_at is not null or ended_at is not null or tokens_used <> 0
  or waiting_for is not null or reason is not null)`

/** An output of a task, without its payload. */
type Product = Pick<Output, 'name' | 'id' | 'digest'>

interface ProductGroup {
  readonly name: ArtifactName
  readonly tasks: readonly string[]
  readonly positions: readonly number[]
  readonly ids: readonly string[]
  readonly digests: readonly string[]
}

/** A task without its role. */
type Named<Task> = Omit<Task, 'role'> & { role: string }
type MutableProgress = Named<Omit<TaskProgress, 'dependsOn'>> & { dependsOn: string[] }

/** Shared by all tasks without dependencies, to save allocations. */
const NONE: string[] = []

/** The default role: only the records of other roles are read. */
const MOST_COMMON_ROLE = 'worker'

/**
 * Sends all queries at once, so that reading overlaps with the server's work. Avoids joins and sorts, since the server
 * has no statistics of a new mission. Records and dependencies are never deleted, so they cover all tasks read.
 */
async function readAll<Group extends DrawnGroup, Task extends Named<{ readonly task: string }>>(
  tx: Tx,
  mission: string,
  columns: GroupColumns,
  taskOf: (group: Group, place: number) => Task,
): Promise<TaskGraph<Task> | undefined> {
  const [found, records, [{ waiting, awaited } = NOTHING]] = await Promise.all([
    groupsOf<Group>(tx, mission, columns).then(groups => inOrder(groups, taskOf)),
    recordsOf(tx, mission),
    waitsOf(tx, mission),
  ])
  if (!found) return undefined
  const { state, tasks, places } = found
  for (const { role, planned } of records)
    for (const name of planned) {
      const task = tasks[places.get(name) ?? -1]
      if (task) task.role = role
    }
  const edges: TaskEdge[] = []
  for (let i = 0; i < waiting.length; i++) {
    const task = places.get(waiting[i] ?? '')
    const dependsOn = places.get(awaited[i] ?? '')
    if (task !== undefined && dependsOn !== undefined) edges.push({ task, dependsOn })
  }
  return { state, tasks, edges }
}

function inOrder<Group extends DrawnGroup, Task extends { readonly task: string }>(
  groups: readonly Group[],
  taskOf: (group: Group, place: number) => Task,
) {
  const [first] = groups
  if (!first) return undefined
  const unordered: Task[] = []
  const positions: number[] = []
  for (const group of groups)
    group.positions?.forEach((position, i) => {
      positions.push(position)
      unordered.push(taskOf(group, i))
    })
  const at = (place: number) => positions[place] ?? 0
  const tasks: Task[] = []
  const places = new Map<string, number>()
  for (const place of Array.from(positions.keys()).sort((a, b) => at(a) - at(b))) {
    const task = unordered[place]
    if (task) places.set(task.task, tasks.push(task) - 1)
  }
  return { state: first.run, tasks, places }
}

/** Reads groups with text lists: one row per task would be several times slower. */
async function groupsOf<Group>(tx: Tx, mission: string, { common, lists }: GroupColumns) {
  const { sql } = await loadKysely()
  const own = sql`tenant_id = current_setting('waybill.tenant', true) and mission_id = ${mission}`
  return readNames<Group>(['tasks'], async listOf => {
    const { rows } = await sql<Counted>`
      select m.state as run, g.*
      from (select state from waybill.mission_runs where ${own}) as m
        left join (
          select ${sql.raw(common)}, count(*)::int as count, json_agg(position) as positions,
            ${sql.raw(listOf('task_id'))} as tasks ${sql.raw(lists)}
          from (select *, ${sql.raw(HAS_BEGUN)} as has_begun from waybill.task_runs where ${own}) as t
          group by ${sql.raw(common)}) as g on true`.execute(tx)
    return rows
  })
}

/** Reads the tasks with other than the default role. */
async function recordsOf(tx: Tx, mission: string) {
  const { sql } = await loadKysely()
  const { rows } = await sql<{ readonly role: string; readonly planned: readonly string[] }>`
    select role_type as role, json_agg(task_id) as planned from waybill.colony_tasks
    where tenant_id = current_setting('waybill.tenant', true) and mission_id = ${mission}
      and role_type <> ${sql.lit(MOST_COMMON_ROLE)}
    group by role_type`.execute(tx)
  return rows
}

interface Waits {
  readonly waiting: readonly string[]
  readonly awaited: readonly string[]
}

const NOTHING: Waits = { waiting: [], awaited: [] }

async function waitsOf(tx: Tx, mission: string): Promise<readonly Waits[]> {
  const { sql } = await loadKysely()
  return readNames<Waits>(['waiting', 'awaited'], async listOf => {
    const { rows } = await sql<Counted>`
      select count(*)::int as count, ${sql.raw(listOf('task_id'))} as waiting,
        ${sql.raw(listOf('depends_on'))} as awaited
      from waybill.colony_task_dependencies
      where tenant_id = current_setting('waybill.tenant', true) and mission_id = ${mission}
      having count(*) > 0`.execute(tx)
    return rows
  })
}

/** A row with lists of names, and their length. */
type Counted = Readonly<Record<string, unknown>>

/**
 * Reads lists of names as lines, three times as fast as JSON. If a name contains a line break, the counts differ and
 * JSON is used.
 */
async function readNames<Row>(
  lists: readonly string[],
  read: (listOf: (column: string) => string) => Promise<readonly Counted[]>,
): Promise<readonly Row[]> {
  const rows = await read(column => `string_agg(${column}, e'\\n')`)
  let isOneEach = true
  const split = rows.map(row => {
    const names = lists.map(list => {
      const lines = typeof row[list] === 'string' ? row[list].split('\n') : null
      if (lines && lines.length !== row.count) isOneEach = false
      return [list, lines]
    })
    return { ...row, ...Object.fromEntries(names) }
  })
  return (isOneEach ? split : await read(column => `json_agg(${column})`)) as readonly Row[]
}

/** Lists the outputs of a mission's tasks, without payloads, in order. */
export async function listOutputs(
  tx: Tx,
  mission: string,
): Promise<ReadonlyMap<string, readonly Product[]>> {
  const { sql } = await loadKysely()
  const { rows } = await sql<ProductGroup>`
    select schema_name as name, json_agg(task_id) as tasks, json_agg(position) as positions,
      json_agg(artifact_id) as ids, json_agg(digest) as digests
    from waybill.task_outputs
    where tenant_id = current_setting('waybill.tenant', true) and mission_id = ${mission}
    group by schema_name`.execute(tx)
  const outputs = new Map<string, Product[]>()
  for (const { name, tasks, positions, ids, digests } of rows)
    tasks.forEach((task, i) => {
      const own = outputs.get(task) ?? []
      if (own.length === 0) outputs.set(task, own)
      own[positions[i] ?? 0] = { name, id: ids[i] ?? '', digest: digests[i] ?? '' }
    })
  return outputs
}

/** Converts seconds with microsecond precision, which numbers of this size preserve. */
function millisecondsOf(seconds: number | null | undefined): number | null {
  return typeof seconds === 'number' ? Math.floor(Math.round(seconds * 1e6) / 1000) : null
}
