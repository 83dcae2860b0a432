import { quote } from '../../contract/index.ts'
import { LONGEST_STRING } from '../../contracts/index.ts'
import { findHiddenText } from '../../document/index.ts'
import { isReserved } from '../approvals/reserved.ts'
import { sortOf } from './artifacts.ts'
import type { Known } from './mission-documents.ts'
import type { Objection } from './objection.ts'

/** The longest id, in bytes of UTF-8: database keys hold up to three of them. */
const MOST_ID_BYTES = 512
/** The most planners in a mission: planners may plan planners, so only a limit stops them. */
const MOST_PLANNERS = 64
/** The longest time budget, in milliseconds: one year, as for --time-budget. */
const LONGEST_TIME = 31_536_000_000

/** Objections to new artifacts that satisfy their contracts but make a mission unrunnable. */
export function beyondLimits(
  stored: readonly Known[],
  added: readonly Known[],
): ReadonlyMap<Known, readonly Objection[]> {
  const objections = new Map<Known, readonly Objection[]>()
  for (const [i, known] of added.entries()) {
    const found = [
      ...longIds(known),
      ...reservedIds(known),
      ...(known.schema_name === 'mission_envelope' ? timeBudget(known) : []),
      ...(known.schema_name === 'mission_task_graph'
        ? tasks(known, [...stored, ...added.slice(0, i)])
        : []),
    ]
    if (found.length > 0) objections.set(known, found)
  }
  return objections
}

/** A text of an artifact, and its path. */
type Placed = readonly [path: Objection['path'], text: string]

/** Objections to new artifacts whose handoff would be refused; stored ones are not checked. */
export function* unhandable(known: Known): Iterable<Objection> {
  yield* hiddenTexts(known)
  yield* longTexts(known)
}

function* longIds(known: Known): Iterable<Objection> {
  for (const [path, id] of idsOf(known)) {
    const bytes = new TextEncoder().encode(id).length
    if (bytes > MOST_ID_BYTES)
      yield {
        code: 'mission/id-too-long',
        path,
        message: `the id ${quote(id)} has ${bytes} bytes, more than ${MOST_ID_BYTES}`,
        hint: 'use a short id',
      }
  }
}

/** Text with invisible characters, for which the handoff of a task would be refused. */
function* hiddenTexts(known: Known): Iterable<Objection> {
  for (const [path, text] of [...idsOf(known), ...askedIn(known)]) {
    const [first] = findHiddenText(text)
    if (first)
      yield {
        code: 'mission/text-hidden',
        path,
        message: `this text, which handoffs repeat, contains an invisible character: a ${first.kind}`,
        hint: 'retype it: copied text may contain such characters',
      }
  }
}

/** Text that is too long for a handoff, which has one string for the objective and one for all criteria. */
function* longTexts(known: Known): Iterable<Objection> {
  for (const [i, { objective, success_criteria: criteria }] of tasksOf(known).entries()) {
    const texts = { objective, success_criteria: Array.isArray(criteria) && criteria.join('; ') }
    for (const [key, text] of Object.entries(texts)) {
      if (typeof text !== 'string' || text.length <= LONGEST_STRING) continue
      yield {
        code: 'mission/text-too-long',
        path: ['tasks', i, key],
        message: `the text has ${text.length} characters; a handoff allows ${LONGEST_STRING}`,
        hint: 'put large material into a file and name the file',
      }
    }
  }
}

function idsOf(known: Known): Placed[] {
  const own = sortOf(known.schema_name)?.idKey
  return [
    ...tasksOf(known).flatMap(({ task_id }, i) => placed(['tasks', i, 'task_id'], task_id)),
    ...['tenant_id', ...(own === undefined ? [] : [own])].flatMap(key =>
      placed([key], known.value[key]),
    ),
  ]
}

/** The objectives and criteria of a graph's tasks. */
function askedIn(known: Known): Placed[] {
  return tasksOf(known).flatMap(({ objective, success_criteria: criteria }, i) => [
    ...placed(['tasks', i, 'objective'], objective),
    ...(Array.isArray(criteria) ? criteria : []).flatMap((text, j) =>
      placed(['tasks', i, 'success_criteria', j], text),
    ),
  ])
}

function placed(path: Objection['path'], text: unknown): Placed[] {
  return typeof text === 'string' ? [[path, text]] : []
}

function* timeBudget({ value: { time_budget_ms: budget } }: Known): Iterable<Objection> {
  if (typeof budget !== 'number' || budget <= LONGEST_TIME) return
  yield {
    code: 'mission/time-too-long',
    path: ['time_budget_ms'],
    message: `a time budget of ${budget} ms is longer than a year`,
    hint: `use ${LONGEST_TIME} at most, or omit the key for no deadline`,
  }
}

function* tasks(known: Known, before: readonly Known[]): Iterable<Objection> {
  const own = tasksOf(known)
  if (Array.isArray(known.value.tasks) && own.length === 0)
    yield {
      code: 'mission/no-tasks',
      path: ['tasks'],
      message: 'the graph has no tasks',
      hint: 'plan at least one task',
    }
  const others = before.filter(
    ({ schema_name, mission }) => schema_name === 'mission_task_graph' && mission === known.mission,
  )
  const earlier = others.flatMap(tasksOf)
  yield* planners(own, earlier)
  let [first] = earlier.filter(isReview)
  for (const [i, task] of own.entries()) {
    if (!isReview(task)) continue
    if (first)
      yield {
        code: 'mission/one-reviewer',
        path: ['tasks', i, 'role_type'],
        message: `the mission already has the reviewer ${quote(first.task_id)}`,
        hint: 'keep one reviewer that depends on everything it reviews',
      }
    first ??= task
  }
}

function* reservedIds(known: Known): Iterable<Objection> {
  for (const [i, { task_id }] of tasksOf(known).entries())
    if (typeof task_id === 'string' && isReserved(task_id))
      yield {
        code: 'mission/id-not-free',
        path: ['tasks', i, 'task_id'],
        message: `the id ${quote(task_id)} is reserved`,
        hint: 'use an id that does not begin with waybill:',
      }
}

/** The fault of the first planner above the limit. */
function* planners(own: readonly Task[], earlier: readonly Task[]): Iterable<Objection> {
  const room = Math.max(0, MOST_PLANNERS - earlier.filter(isPlanner).length)
  const place = own.flatMap((task, i) => (isPlanner(task) ? [i] : []))[room]
  if (place === undefined) return
  yield {
    code: 'mission/too-many-planners',
    path: ['tasks', place, 'role_type'],
    message: `the mission would have more than ${MOST_PLANNERS} planners in all its graphs`,
    hint: 'plan the work itself as tasks of other roles',
  }
}

interface Task {
  readonly task_id?: unknown
  readonly role_type?: unknown
  readonly objective?: unknown
  readonly success_criteria?: unknown
}

/** The tasks of a graph, which may be malformed. */
function tasksOf({ schema_name, value: { tasks: list } }: Known): readonly Task[] {
  if (schema_name !== 'mission_task_graph' || !Array.isArray(list)) return []
  return list.map(task => Object(task) as Task)
}

function isReview({ role_type }: Task): boolean {
  return role_type === 'reviewer'
}

function isPlanner({ role_type }: Task): boolean {
  return role_type === 'planner'
}
