import type { ArtifactName } from './artifacts.ts'
import { loadKysely } from './packages.ts'
import type { Reason, RunState, TaskState } from './runs.ts'
import type { Output } from './task-reading.ts'
import type { AnsweredBy, TaskRun } from './tasks.ts'
import type { Tx } from './tx.ts'

/** One task as a graph shows it. */
export type TaskNode = Pick<TaskRun, 'task' | 'role' | 'agent' | 'state' | 'attempt'>

/** That a task waits for another, by their places in the list. */
export interface TaskEdge {
  readonly task: number
  readonly dependsOn: number
}

/** The tasks of a mission, in the order of its graphs, and what waits for what, in no order. */
export interface TaskGraph<Task = TaskNode> {
  readonly state: RunState
  readonly tasks: readonly Task[]
  readonly edges: readonly TaskEdge[]
}

/** How far one of all tasks of a mission is, and what it waits for, in no order; moments in milliseconds since 1970. */
export interface TaskProgress
  extends Omit<
    TaskRun,
    'position' | 'prompt' | 'losses' | 'retries' | 'worker' | 'startedAt' | 'endedAt'
  > {
  readonly dependsOn: readonly string[]
  readonly startedAt: number | null
  readonly endedAt: number | null
}

/** Reads how the tasks of a mission depend on each other; nothing where the tenant has no such mission. */
export function readTaskGraph(tx: Tx, mission: string): Promise<TaskGraph | undefined> {
  return readAll<DrawnGroup, Named<TaskNode>>(tx, mission, DRAWN, (group, i) => ({
    task: group.tasks?.[i] ?? '',
    role: MOST_COMMON_ROLE,
    agent: group.agent,
    state: group.state,
    attempt: group.attempt,
  }))
}

/** How far all tasks of a mission are, in the order of its graphs. */
export async function listProgress(tx: Tx, mission: string): Promise<readonly TaskProgress[]> {
  const found = await readAll<ToldGroup, Told>(tx, mission, TOLD, (group, i) => ({
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
  }))
  const { tasks = [], edges = [] } = found ?? {}
  for (const { task, dependsOn } of edges) {
    const [waiting, awaited] = [tasks[task], tasks[dependsOn]]
    if (!waiting || !awaited) continue
    if (waiting.dependsOn === NONE) waiting.dependsOn = [awaited.task]
    else waiting.dependsOn.push(awaited.task)
  }
  return tasks
}

/** What several tasks have in common, and lists of equal length of what each of them has. */
interface DrawnGroup {
  readonly run: RunState
  readonly agent: string
  readonly state: TaskState
  readonly attempt: number
  /** Null where the mission has no task. */
  readonly tasks: readonly string[] | null
  readonly positions: readonly number[] | null
}

/** Lists that are null would hold nothing. */
interface ToldGroup extends DrawnGroup {
  readonly failures: number
  readonly waitingFor: readonly (string | null)[] | null
  readonly answeredBy: readonly (AnsweredBy | null)[] | null
  readonly handoffs: readonly (string | null)[] | null
  readonly tokensUsed: readonly number[] | null
  readonly reasons: readonly (Reason | null)[] | null
  /** In seconds since 1970. */
  readonly startedAt: readonly (number | null)[] | null
  readonly endedAt: readonly (number | null)[] | null
}

/** What tasks of a group have in common, and what is listed beside their names and positions. */
interface Asked {
  readonly common: string
  readonly lists: string
}

const DRAWN: Asked = { common: 'agent, state, attempt', lists: '' }

const TOLD: Asked = {
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

/** Whether there is anything to be listed: to write lists of nothing takes the server as long as others. */
const HAS_BEGUN = `(handoff_id is not null or started_at is not null or ended_at is not null or tokens_used <> 0
  or waiting_for is not null or reason is not null)`

/** An artifact that a task has produced, without what it says. */
type Product = Pick<Output, 'name' | 'id' | 'digest'>

interface ProductGroup {
  readonly name: ArtifactName
  readonly tasks: readonly string[]
  readonly positions: readonly number[]
  readonly ids: readonly string[]
  readonly digests: readonly string[]
}

/** A task of which it is not known yet what its record says. */
type Named<Task> = Omit<Task, 'role'> & { role: string }
type Told = Named<Omit<TaskProgress, 'dependsOn'>> & { dependsOn: string[] }

/** That of every task until something is found that it waits for: so many lists of nothing take their time. */
const NONE: string[] = []

/** Of large missions most tasks have it: only what the others have is read. */
const MOST_COMMON_ROLE = 'worker'

/**
 * All is asked at once, so that one answer is read while the server is at the next. Nothing is joined or sorted there:
 * of a mission that has just begun it does not know how many tasks it has. Records and dependencies are never taken
 * away, so those of all tasks that were there are there.
 */
async function readAll<Group extends DrawnGroup, Task extends Named<{ readonly task: string }>>(
  tx: Tx,
  mission: string,
  asked: Asked,
  taskOf: (group: Group, place: number) => Task,
): Promise<TaskGraph<Task> | undefined> {
  const [found, records, [{ waiting, awaited } = NOTHING]] = await Promise.all([
    groupsOf<Group>(tx, mission, asked).then(groups => inOrder(groups, taskOf)),
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

/** Lists are texts that are read at once: a row for each of so many tasks takes several times as long. */
async function groupsOf<Group>(tx: Tx, mission: string, { common, lists }: Asked) {
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

/** What the records say of the tasks whose role is not the most common one. */
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

/** A row with lists of names, and how many names each has. */
type Counted = Readonly<Record<string, unknown>>

/**
 * Reads lists of names as lines, which takes the server a third of the time that JSON does. Where there are more lines than
 * names, a name holds a line break, and they are read as JSON.
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

/** What the tasks of a mission have produced, without what it says: of each task in its order. */
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

/** PostgreSQL counts in microseconds, which stay apart in numbers of this size. */
function millisecondsOf(seconds: number | null | undefined): number | null {
  return typeof seconds === 'number' ? Math.floor(Math.round(seconds * 1e6) / 1000) : null
}
