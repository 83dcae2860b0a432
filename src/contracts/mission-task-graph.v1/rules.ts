import { counted, nearest, quote, type Rules } from '../../contract/index.ts'
import {
  type Artifact,
  type MissionFacts,
  siblingsNamed,
  tasksOf,
  undecidedBy,
} from '../mission-facts.ts'
import { noNullCharacters, ownerMatchesMission, toolsAllowed } from '../mission-rules.ts'
import { noFutureTimes } from '../times.ts'
import { findCycles } from './cycles.ts'
import type { MissionTaskGraph } from './schema.ts'

type Task = Pick<MissionTaskGraph['tasks'][number], 'task_id' | 'depends_on'>

/** Suggestions compare every task, so large graphs get none. */
const MOST_TO_GUESS_AMONG = 200
const MOST_NAMED = 6

export const rules = {
  'no-null-characters': noNullCharacters,
  'no-future-times': noFutureTimes('/created_at'),
  'owner-matches-mission': ownerMatchesMission,
  'unique-task-ids': {
    severity: 'error',
    summary: 'Every task id is unique in the graph.',
    why: 'Other artifacts refer to a task by its id; a duplicate id is ambiguous.',
    reads: ['/tasks/*/task_id'],
    *check({ tasks }) {
      const first = new Map<string, number>()
      for (const [i, { task_id }] of tasks.entries()) {
        const seen = first.get(task_id)
        if (seen === undefined) first.set(task_id, i)
        else {
          yield {
            path: ['tasks', i, 'task_id'],
            message: `the id ${quote(task_id)} is not unique: task ${seen + 1} of the graph has it too`,
            hint: 'give one of them another id, and update the tasks that depend on it',
          }
        }
      }
    },
  },
  'unique-in-mission': {
    severity: 'error',
    summary: 'No other task graph of the mission has a task with the same id.',
    why: 'An artifact names its task and not the graph, so an id can be used only once in a mission.',
    reads: ['/tasks/*/task_id'],
    needs: ['artifacts'],
    *check({ tasks }, { facts: { artifacts } }) {
      const elsewhere = new Map<string, string>()
      for (const graph of siblingsNamed(artifacts, 'mission_task_graph')) {
        const others = tasksOf(graph)
        if (!others) yield undecidedBy(graph)
        for (const { task_id } of others ?? []) elsewhere.set(task_id, graph.path)
      }
      for (const [i, { task_id }] of tasks.entries()) {
        const path = elsewhere.get(task_id)
        if (path === undefined) continue
        yield {
          path: ['tasks', i, 'task_id'],
          message: `the id ${quote(task_id)} is used in another graph of the mission too: ${path}`,
          hint: 'give the task another id, or remove the outdated graph',
        }
      }
    },
  },
  'known-dependencies': {
    severity: 'error',
    summary: 'Every task depends only on tasks of the mission.',
    why: 'A task that depends on a missing one waits forever.',
    reads: ['/tasks/*/task_id', '/tasks/*/depends_on'],
    uses: ['artifacts'],
    *check({ tasks }, { facts: { artifacts } }) {
      const { others, unread } = otherTasks(artifacts)
      const known = new Set([...tasks, ...others].map(task => task.task_id))
      const guesses = known.size <= MOST_TO_GUESS_AMONG ? [...known] : []
      for (const [i, { task_id, depends_on }] of tasks.entries()) {
        for (const [j, dependency] of depends_on.entries()) {
          if (known.has(dependency)) continue
          // The task may be in a graph that cannot be read.
          if (unread.length > 0) {
            yield* unread.map(undecidedBy)
            return
          }
          const meant = nearest(
            dependency,
            guesses.filter(id => id !== task_id),
          )
          yield {
            path: ['tasks', i, 'depends_on', j],
            message: `the task ${quote(task_id)} depends on ${quote(dependency)}, which the mission does not have`,
            hint:
              meant === undefined
                ? 'add the task, or remove the dependency'
                : `did you mean ${quote(meant)}?`,
          }
        }
      }
    },
  },
  'acyclic-dependencies': {
    severity: 'error',
    summary: 'No task depends on itself, directly or through others.',
    why: 'Tasks that wait for each other never start.',
    reads: ['/tasks/*/task_id', '/tasks/*/depends_on'],
    uses: ['artifacts'],
    *check({ tasks }, { facts: { artifacts } }) {
      const { others, unread } = otherTasks(artifacts)
      yield* unread.map(undecidedBy)
      const all = [...tasks, ...others]
      for (const cycle of findCycles(edgesOf(all))) {
        const [first = 0, next = first] = cycle
        const task = tasks[first]
        // Skip cycles within other graphs, which are reported there; in others, own tasks come first.
        if (!task) continue
        yield {
          path: ['tasks', first, 'depends_on', task.depends_on.indexOf(all[next]?.task_id ?? '')],
          message: describe(cycle.map(node => all[node]?.task_id ?? '')),
          hint:
            cycle.length === 1
              ? 'remove the dependency'
              : 'remove one of these dependencies, or merge the tasks',
        }
      }
    },
  },
  'tools-allowed': toolsAllowed('/tasks/*/allowed_tools/*'),
} satisfies Rules<MissionTaskGraph, MissionFacts>

/** The tasks of the mission's other graphs, and the graphs whose tasks are unreadable. */
function otherTasks(artifacts: readonly Artifact[] | undefined) {
  const graphs = siblingsNamed(artifacts, 'mission_task_graph')
  const unread = graphs.filter(graph => tasksOf(graph) === undefined)
  return { others: graphs.flatMap(graph => tasksOf(graph) ?? []), unread }
}

/** For each task, the indexes of its dependencies. */
function edgesOf(tasks: readonly Task[]): number[][] {
  const places = new Map<string, number>()
  for (const [i, { task_id }] of tasks.entries()) if (!places.has(task_id)) places.set(task_id, i)
  return tasks.map(({ depends_on }) =>
    depends_on.map(id => places.get(id)).filter(place => place !== undefined),
  )
}

function describe(ids: readonly string[]): string {
  const [first = ''] = ids
  if (ids.length === 1) return `the task ${quote(first)} depends on itself`
  const names = ids.map(quote)
  const left = names.length - MOST_NAMED
  const shown =
    left > 0
      ? [...names.slice(0, MOST_NAMED - 1), counted(left, 'more task'), ...names.slice(-1)]
      : names
  return `tasks depend on each other in a cycle: ${[...shown, quote(first)].join(' → ')}`
}
