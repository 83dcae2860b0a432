import { counted } from '../../contract/index.ts'
import { formatPointer } from '../../document/index.ts'
import type { MissionSnapshot, MissionTask } from '../../store/index.ts'
import { askedOf } from '../run/handover.ts'
import type { Payload, Task } from '../runner.ts'
import { placeOf, saidBy } from './artifacts.ts'
import type { Difference } from './codes.ts'

/** A task as its graph plans it. */
export interface Planned {
  readonly task: string
  /** Undefined when its graph was erased. */
  readonly role: Task['role_type'] | undefined
  readonly after: readonly string[]
  /** Its request to the agent; undefined when unknown. */
  readonly asked?: ReturnType<typeof askedOf>
}

/** The tasks of a mission by id: planned, and with their states. */
export interface Tasks {
  readonly planned: ReadonlyMap<string, Planned>
  readonly runs: ReadonlyMap<string, MissionTask>
  /** Whether a graph was erased, so that its plan is unknown. */
  readonly isErased: boolean
}

/** Reads the tasks from the graphs of a mission. */
export function tasksOf({ artifacts, tasks }: MissionSnapshot): Tasks {
  const graphs = artifacts.filter(({ name }) => name === 'mission_task_graph')
  const planned = new Map<string, Planned>()
  for (const graph of graphs) {
    const { tasks: list } = saidBy(graph)
    for (const entry of Array.isArray(list) ? list : []) {
      // Contract violations of a graph are reported elsewhere.
      const { task_id, role_type, depends_on, objective, success_criteria } = Object(
        entry,
      ) as Payload
      const criteria = Array.isArray(success_criteria) ? success_criteria.map(String) : []
      const asked = askedOf({ objective: String(objective), success_criteria: criteria })
      const after = Array.isArray(depends_on) ? depends_on.map(String) : []
      const role = role_type as Task['role_type']
      planned.set(String(task_id), { task: String(task_id), role, after, asked })
    }
  }
  return {
    planned,
    runs: new Map(tasks.map(run => [run.task, run])),
    isErased: graphs.some(({ payload }) => payload === null),
  }
}

/** The tolerated difference between clocks, in milliseconds. */
export const SKEW = 300_000

/** Checks each task, and its dependencies. */
export function* inTasks(tasks: Tasks): Iterable<Difference> {
  const { planned, runs, isErased } = tasks
  for (const { task } of planned.values())
    if (!runs.has(task))
      yield {
        code: 'replay/task-missing',
        path: placeOfTask(task),
        message: 'the graph has this task, but it has no state',
      }
  const places = new Set<number>()
  for (const run of runs.values()) {
    const path = placeOfTask(run.task)
    if (!planned.has(run.task) && !isErased)
      yield { code: 'replay/task-unknown', path, message: 'no graph has this task' }
    if (places.has(run.position))
      yield { code: 'replay/task-unknown', path, message: 'another task has the same position' }
    places.add(run.position)
    yield* inDependencies(run, tasks)
  }
}

/** The JSON Pointer of a task in a mission. */
export function placeOfTask(task: string): string {
  return formatPointer(['tasks', task])
}

/** A check that is impossible because the evidence was erased or is unreliable. */
export interface Undecided {
  /** JSON Pointer to the erased or unreliable part. */
  readonly path: string
  readonly message: string
}

/** Reports what cannot be checked: states whose graph was erased, and times that go backwards. */
export function* undecidedIn({ artifacts }: MissionSnapshot, tasks: Tasks): Iterable<Undecided> {
  const { planned, runs } = tasks
  const unplanned = [...runs.keys()].filter(task => !planned.has(task)).length
  for (const graph of artifacts)
    if (graph.name === 'mission_task_graph' && graph.payload === null)
      yield {
        path: placeOf(graph),
        message: `the graph was erased: the dependencies and outputs of ${counted(unplanned, 'task')} cannot be checked`,
      }
  yield* contradictionsIn(tasks)
}

function* inDependencies(run: MissionTask, { planned, runs }: Tasks): Iterable<Difference> {
  const path = placeOfTask(run.task)
  const plan = planned.get(run.task)
  // Its dependencies are unknown; a missing graph is reported separately.
  if (!plan && run.state === 'blocked') return
  const before = (plan?.after ?? []).flatMap(id => runs.get(id) ?? [])
  const open = before.filter(({ state }) => state !== 'done')
  const fault = stateFault(run, open)
  if (fault) yield { code: 'replay/task-state', path: `${path}/state`, message: fault }
}

/** Reports contradicting times of a task and a dependency: a database clock may be set back. */
function* contradictionsIn({ planned, runs }: Tasks): Iterable<Undecided> {
  for (const { task, startedAt } of runs.values()) {
    if (startedAt === null) continue
    for (const { task: other, endedAt } of doneBefore(task, { planned, runs })) {
      if (endedAt === null || Date.parse(startedAt) + SKEW >= Date.parse(endedAt)) continue
      const message = `the task started at ${startedAt}, before its dependency '${other}' was done at ${endedAt}: the database clock was set back, or a time was changed`
      yield { path: `${placeOfTask(task)}/startedAt`, message }
    }
  }
}

/** The direct dependencies of a task that are done. */
export function doneBefore(
  task: string,
  { planned, runs }: Pick<Tasks, 'planned' | 'runs'>,
): readonly MissionTask[] {
  const before = (planned.get(task)?.after ?? []).flatMap(id => runs.get(id) ?? [])
  return before.filter(({ state }) => state === 'done')
}

/** Why the state of a task contradicts its unfinished dependencies. */
function stateFault(run: MissionTask, open: readonly MissionTask[]) {
  const { state, attempt } = run
  const [first] = open
  if (state === 'blocked')
    return first ? undefined : 'it is blocked, but all its dependencies are done'
  if (state === 'cancelled') return undefined
  if (first) return `it is ${state}, but its dependency '${first.task}' is ${first.state}`
  if (attempt === 0) return `it is ${state} but was never started`
  return state === 'done' ? faultInDone(run) : undefined
}

/** Checks the fields of a finished task. */
function faultInDone({ startedAt, endedAt, waitingFor, token, answer }: MissionTask) {
  if (startedAt === null || endedAt === null)
    return 'it is done, but its start or end time is missing'
  const isWaiting = waitingFor !== null || token !== null || answer !== null
  return isWaiting ? 'it is done, but still waits for an answer or has one' : undefined
}
