import { counted } from '../../contract/index.ts'
import { formatPointer } from '../../document/index.ts'
import type { MissionSnapshot, MissionTask } from '../../store/index.ts'
import { askedOf } from '../run/handover.ts'
import type { Payload, Task } from '../runner.ts'
import { placeOf, saidBy } from './artifacts.ts'
import type { Difference } from './codes.ts'

/** A task as the graphs have it. */
export interface Planned {
  readonly task: string
  /** Nothing where its graph was erased. */
  readonly role: Task['role_type'] | undefined
  readonly after: readonly string[]
  /** What its agent is told of it; nothing where that is none. */
  readonly asked?: ReturnType<typeof askedOf>
}

/** The tasks of a mission by their ids: as the graphs plan them, and how far each is. */
export interface Tasks {
  readonly planned: ReadonlyMap<string, Planned>
  readonly runs: ReadonlyMap<string, MissionTask>
  /** Whether a graph was erased, so that what it planned is not known any more. */
  readonly isErased: boolean
}

/** Takes the graphs of a mission apart. */
export function tasksOf({ artifacts, tasks }: MissionSnapshot): Tasks {
  const graphs = artifacts.filter(({ name }) => name === 'mission_task_graph')
  const planned = new Map<string, Planned>()
  for (const graph of graphs) {
    const { tasks: list } = saidBy(graph)
    for (const entry of Array.isArray(list) ? list : []) {
      // What a contract has against a graph is told elsewhere.
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

/** Clocks of several machines may be so far apart, in milliseconds. */
export const SKEW = 300_000

/** What is wrong with tasks: with each by itself, and with what it depends on. */
export function* inTasks(tasks: Tasks): Iterable<Difference> {
  const { planned, runs, isErased } = tasks
  for (const { task } of planned.values())
    if (!runs.has(task))
      yield {
        code: 'replay/task-missing',
        path: placeOfTask(task),
        message: 'the graph has this task, and nobody knows its state',
      }
  const places = new Set<number>()
  for (const run of runs.values()) {
    const path = placeOfTask(run.task)
    if (!planned.has(run.task) && !isErased)
      yield { code: 'replay/task-unknown', path, message: 'no graph has this task' }
    if (places.has(run.position))
      yield { code: 'replay/task-unknown', path, message: 'another task has its place' }
    places.add(run.position)
    yield* besideOthers(run, tasks)
  }
}

/** Where a task stands in a mission, as a JSON Pointer. */
export function placeOfTask(task: string): string {
  return formatPointer(['tasks', task])
}

/** What of a mission nobody can tell: what would tell it was erased, or is not to be relied on. */
export interface Undecided {
  /** JSON Pointer to what was erased, or cannot be relied on. */
  readonly path: string
  readonly message: string
}

/** What cannot be held against tasks: their states, where their graph was erased, and times that go backwards. */
export function* undecidedIn({ artifacts }: MissionSnapshot, tasks: Tasks): Iterable<Undecided> {
  const { planned, runs } = tasks
  const unplanned = [...runs.keys()].filter(task => !planned.has(task)).length
  for (const graph of artifacts)
    if (graph.name === 'mission_task_graph' && graph.payload === null)
      yield {
        path: placeOf(graph),
        message: `the graph was erased: of ${counted(unplanned, 'task')} nobody can tell any more what each waits for, and what it has to return`,
      }
  yield* contradictionsIn(tasks)
}

function* besideOthers(run: MissionTask, { planned, runs }: Tasks): Iterable<Difference> {
  const path = placeOfTask(run.task)
  const plan = planned.get(run.task)
  // What it waits for is not known any more; that no graph has it is told where none was erased.
  if (!plan && run.state === 'blocked') return
  const before = (plan?.after ?? []).flatMap(id => runs.get(id) ?? [])
  const open = before.filter(({ state }) => state !== 'done')
  const fault = faultBehind(run, open)
  if (fault) yield { code: 'replay/task-state', path: `${path}/state`, message: fault }
}

/** Where the times of a task and of one that it depends on contradict each other: clocks may be set back, logs may not. */
function* contradictionsIn({ planned, runs }: Tasks): Iterable<Undecided> {
  for (const { task, startedAt } of runs.values()) {
    if (startedAt === null) continue
    for (const { task: other, endedAt } of doneBefore(task, { planned, runs })) {
      if (endedAt === null || Date.parse(startedAt) + SKEW >= Date.parse(endedAt)) continue
      const message = `it began at ${startedAt}, and '${other}', which it depends on, was done at ${endedAt}: the clock of the database was set back in between, or a time was changed`
      yield { path: `${placeOfTask(task)}/startedAt`, message }
    }
  }
}

/** Those that a task depends on directly, as far as they are done. */
export function doneBefore(
  task: string,
  { planned, runs }: Pick<Tasks, 'planned' | 'runs'>,
): readonly MissionTask[] {
  const before = (planned.get(task)?.after ?? []).flatMap(id => runs.get(id) ?? [])
  return before.filter(({ state }) => state === 'done')
}

/** What speaks against the state of a task, given the tasks before it that are not done. */
function faultBehind(run: MissionTask, open: readonly MissionTask[]) {
  const { state, attempt } = run
  const [first] = open
  if (state === 'blocked')
    return first ? undefined : 'it is blocked, and everything that it depends on is done'
  if (state === 'cancelled') return undefined
  if (first) return `it is ${state}, and '${first.task}', which it depends on, is ${first.state}`
  if (attempt === 0) return `it is ${state}, and was never started`
  return state === 'done' ? faultInDone(run) : undefined
}

/** What a task that is done has no more, and what it has. */
function faultInDone({ startedAt, endedAt, waitingFor, token, answer }: MissionTask) {
  if (startedAt === null || endedAt === null)
    return 'it is done, and it is not said from when to when'
  const isWaiting = waitingFor !== null || token !== null || answer !== null
  return isWaiting ? 'it is done, and still waits for an answer, or has one' : undefined
}
