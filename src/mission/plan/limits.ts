import { quote } from '../../contract/index.ts'
import { LONGEST_STRING } from '../../contracts/index.ts'
import { findHiddenText } from '../../document/index.ts'
import { isReserved } from '../approvals/reserved.ts'
import { sortOf } from './artifacts.ts'
import type { Known } from './mission-documents.ts'
import type { Objection } from './objection.ts'

/** More bytes of UTF-8 than this are no id: the keys of the database hold up to three of them. */
const MOST_ID_BYTES = 512
/** More planners than these are no plan: each may plan others, and only their number comes to an end. */
const MOST_PLANNERS = 64
/** A year of milliseconds, as --time-budget has it: a deadline that is very far off is no date any more. */
const LONGEST_TIME = 31_536_000_000

/** What is to be said of new artifacts that keep their contracts, and that no mission could be done with. */
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

/** A text of an artifact, and where it stands. */
type Placed = readonly [path: Objection['path'], text: string]

/** What new artifacts would be refused for when they are handed over; those of old are left as they are. */
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
        hint: 'give it a short one, and say the rest where texts belong',
      }
  }
}

/** What the handoff of a task would be refused for, when its turn has come and nobody can mend it any more. */
function* hiddenTexts(known: Known): Iterable<Objection> {
  for (const [path, text] of [...idsOf(known), ...askedIn(known)]) {
    const [first] = findHiddenText(text)
    if (first)
      yield {
        code: 'mission/text-hidden',
        path,
        message: `nobody sees all of this text, which handoffs repeat: it holds a ${first.kind}`,
        hint: 'type it anew: what was copied may carry such characters',
      }
  }
}

/** The same: a handoff has one string for the objective of its task, and one for all of its criteria. */
function* longTexts(known: Known): Iterable<Objection> {
  for (const [i, { objective, success_criteria: criteria }] of tasksOf(known).entries()) {
    const texts = { objective, success_criteria: Array.isArray(criteria) && criteria.join('; ') }
    for (const [key, text] of Object.entries(texts)) {
      if (typeof text !== 'string' || text.length <= LONGEST_STRING) continue
      yield {
        code: 'mission/text-too-long',
        path: ['tasks', i, key],
        message: `it has ${text.length} characters, more than the ${LONGEST_STRING} of a text in a handoff`,
        hint: 'put large material into a file and name it',
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

/** What is asked of whoever does the tasks of a graph. */
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
    hint: `give ${LONGEST_TIME} at most, or leave the key out: the mission then has no deadline`,
  }
}

function* tasks(known: Known, before: readonly Known[]): Iterable<Objection> {
  const own = tasksOf(known)
  if (Array.isArray(known.value.tasks) && own.length === 0)
    yield {
      code: 'mission/no-tasks',
      path: ['tasks'],
      message: 'the graph has no tasks, so nothing would ever be done',
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
        message: `review is one pass, and ${quote(first.task_id)} is the reviewer of the mission already`,
        hint: 'leave one reviewer, after everything that it has to look at',
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
        message: `the id ${quote(task_id)} is kept for what is no task of a mission`,
        hint: 'give the task an id that does not begin with waybill:',
      }
}

/** Tells of the first planner that is one too many. */
function* planners(own: readonly Task[], earlier: readonly Task[]): Iterable<Objection> {
  const room = Math.max(0, MOST_PLANNERS - earlier.filter(isPlanner).length)
  const place = own.flatMap((task, i) => (isPlanner(task) ? [i] : []))[room]
  if (place === undefined) return
  yield {
    code: 'mission/too-many-planners',
    path: ['tasks', place, 'role_type'],
    message: `with it the mission has more than ${MOST_PLANNERS} planners, those that have planned already included`,
    hint: 'plan the work itself, by tasks of other roles',
  }
}

interface Task {
  readonly task_id?: unknown
  readonly role_type?: unknown
  readonly objective?: unknown
  readonly success_criteria?: unknown
}

/** The tasks of a graph, however faulty it is. */
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
