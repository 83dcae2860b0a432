import { loadKysely } from './packages.ts'
import type { Reason, RunState, TaskState } from './runs.ts'
import type { TaskRun } from './tasks.ts'
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

/** How far one of all tasks of a mission is, and what it waits for, in no order. */
export interface TaskProgress
  extends Omit<TaskRun, 'position' | 'prompt' | 'losses' | 'retries' | 'worker'> {
  readonly dependsOn: readonly string[]
}

/** Reads how the tasks of a mission depend on each other; nothing where the tenant has no such mission. */
export function readTaskGraph(tx: Tx, mission: string): Promise<TaskGraph | undefined> {
  return readAll<DrawnGroup, Named<TaskNode>>(tx, mission, DRAWN, (group, i) => ({
    task: group.tasks[i] ?? '',
    role: '',
    agent: group.agent,
    state: group.state,
    attempt: group.attempts[i] ?? 0,
  }))
}

/** How far all tasks of a mission are, in the order of its graphs. */
export async function listProgress(tx: Tx, mission: string): Promise<readonly TaskProgress[]> {
  const found = await readAll<ToldGroup, Told>(tx, mission, TOLD, (group, i) => ({
    task: group.tasks[i] ?? '',
    role: '',
    agent: group.agent,
    state: group.state,
    dependsOn: NONE,
    attempt: group.attempts[i] ?? 0,
    failures: group.failures[i] ?? 0,
    waitingFor: group.waitingFor[i] ?? null,
    handoff: group.handoffs[i] ?? null,
    tokensUsed: group.tokensUsed[i] ?? 0,
    reason: group.reasons[i] ?? null,
    startedAt: dateOf(group.startedAt[i]),
    endedAt: dateOf(group.endedAt[i]),
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

/** Lists that belong together, of equal length: what several tasks have that share an agent and a state. */
interface DrawnGroup {
  readonly run: RunState
  readonly agent: string
  readonly state: TaskState
  readonly tasks: readonly string[]
  readonly positions: readonly number[]
  readonly attempts: readonly number[]
}

interface ToldGroup extends DrawnGroup {
  readonly failures: readonly number[]
  readonly waitingFor: readonly (string | null)[]
  readonly handoffs: readonly (string | null)[]
  readonly tokensUsed: readonly number[]
  readonly reasons: readonly (Reason | null)[]
  /** In ISO 8601. */
  readonly startedAt: readonly (string | null)[]
  readonly endedAt: readonly (string | null)[]
}

const DRAWN = { tasks: 'task_id', positions: 'position', attempts: 'attempt' }

const TOLD = {
  ...DRAWN,
  failures: 'failures',
  waitingFor: 'waiting_for',
  handoffs: 'handoff_id',
  tokensUsed: 'tokens_used',
  reasons: 'reason',
  startedAt: 'started_at',
  endedAt: 'ended_at',
}

/** A task of which it is not known yet what its record says. */
type Named<Task> = Omit<Task, 'role'> & { role: string }
type Told = Named<Omit<TaskProgress, 'dependsOn'>> & { dependsOn: string[] }

/** That of every task until something is found that it waits for: so many lists of nothing take their time. */
const NONE: string[] = []

/**
 * All is asked at once, so that one answer is read while the server is at the next. Nothing is joined or sorted there:
 * of a mission that has just begun it does not know how many tasks it has. Records and dependencies are never taken
 * away, so those of all tasks that were there are there.
 */
async function readAll<Group extends DrawnGroup, Task extends Named<{ readonly task: string }>>(
  tx: Tx,
  mission: string,
  columns: Readonly<Record<string, string>>,
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
  waiting.forEach((name, i) => {
    const [task, dependsOn] = [places.get(name), places.get(awaited[i] ?? '')]
    if (task !== undefined && dependsOn !== undefined) edges.push({ task, dependsOn })
  })
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
    group.positions.forEach((position, i) => {
      positions.push(position)
      unordered.push(taskOf(group, i))
    })
  const at = (place: number) => positions[place] ?? 0
  const order = Array.from(positions.keys()).sort((a, b) => at(a) - at(b))
  const tasks = order.flatMap(place => unordered[place] ?? [])
  return { state: first.run, tasks, places: new Map(tasks.map(({ task }, i) => [task, i])) }
}

/** Lists are texts that the engine parses at once: a row for each of so many tasks takes several times as long. */
async function groupsOf<Group>(
  tx: Tx,
  mission: string,
  columns: Readonly<Record<string, string>>,
): Promise<readonly Group[]> {
  const { sql } = await loadKysely()
  const own = sql`tenant_id = current_setting('waybill.tenant', true) and mission_id = ${mission}`
  const lists = Object.entries(columns).map(([name, column]) => `json_agg(${column}) as "${name}"`)
  const none = Object.keys(columns).map(name => `coalesce("${name}", '[]') as "${name}"`)
  const { rows } = await sql<Group>`
    select m.state as run, g.agent, g.state, ${sql.raw(none.join(', '))}
    from (select state from waybill.mission_runs where ${own}) as m
      left join (select agent, state, ${sql.raw(lists.join(', '))}
        from waybill.task_runs where ${own} group by agent, state) as g on true`.execute(tx)
  return rows
}

async function recordsOf(tx: Tx, mission: string) {
  const { sql } = await loadKysely()
  const { rows } = await sql<{ readonly role: string; readonly planned: readonly string[] }>`
    select role_type as role, json_agg(task_id) as planned from waybill.colony_tasks
    where tenant_id = current_setting('waybill.tenant', true) and mission_id = ${mission}
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
  const { rows } = await sql<Waits>`
    select coalesce(json_agg(task_id), '[]') as waiting, coalesce(json_agg(depends_on), '[]') as awaited
    from waybill.colony_task_dependencies
    where tenant_id = current_setting('waybill.tenant', true) and mission_id = ${mission}`.execute(
    tx,
  )
  return rows
}

function dateOf(text: string | null | undefined): Date | null {
  return typeof text === 'string' ? new Date(text) : null
}
