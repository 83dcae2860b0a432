import type { Item } from './output.ts'
import { fieldsOf, item, lines, listOf, listSection, said } from './said.ts'
import type { Body } from './view.ts'

interface Task {
  readonly id: string
  readonly after: readonly string[]
  readonly value: unknown
}

/** Describes the tasks of a mission as a tree; each appears once, under its last dependency. */
export function describeTaskGraph(value: unknown): Body {
  const tasks = listOf(fieldsOf(value).tasks).map(readTask)
  const levels = levelsOf(tasks)
  const depths = [...levels.values()]
  return {
    facts: lines(
      ['Tasks', tasks.length],
      ['Steps', depths.length > 0 ? greatest(depths) + 1 : undefined],
      ['At once', depths.length > 0 ? widest(depths) : undefined],
    ),
    sections: listSection('Tasks', [...tree(tasks, levels), ...leftOver(tasks, levels)]),
  }
}

function readTask(value: unknown, index: number): Task {
  const { task_id, depends_on } = fieldsOf(value)
  return {
    id: said(task_id) ?? `task ${index + 1}`,
    after: listOf(depends_on).flatMap(id => said(id) ?? []),
    value,
  }
}

/** Returns the depth of each task; tasks in or after a cycle have none. Iterative and linear. */
function levelsOf(tasks: readonly Task[]): Map<Task, number> {
  const { followers, open } = waitsOf(tasks)
  const levels = new Map<Task, number>()
  const ready = tasks.filter(task => open.get(task) === 0)
  for (const task of ready) levels.set(task, 0)
  // The list grows during the loop.
  for (const task of ready) {
    const next = (levels.get(task) ?? 0) + 1
    for (const follower of followers.get(task) ?? []) {
      levels.set(follower, Math.max(levels.get(follower) ?? 0, next))
      const left = (open.get(follower) ?? 0) - 1
      open.set(follower, left)
      if (left === 0) ready.push(follower)
    }
  }
  for (const [task, left] of open) if (left > 0) levels.delete(task)
  return levels
}

/** Returns the dependents of each task and its number of dependencies. */
function waitsOf(tasks: readonly Task[]) {
  const known = new Map(tasks.map(task => [task.id, task] as const))
  const followers = new Map<Task, Task[]>()
  const open = new Map<Task, number>()
  for (const task of tasks) {
    const before = new Set(task.after.flatMap(id => known.get(id) ?? []))
    open.set(task, before.size)
    for (const other of before) addTo(followers, other, task)
  }
  return { followers, open }
}

function widest(levels: readonly number[]): number {
  const counts = new Map<number, number>()
  for (const level of levels) counts.set(level, (counts.get(level) ?? 0) + 1)
  return greatest(counts.values())
}

function greatest(numbers: Iterable<number>): number {
  let most = 0
  for (const number of numbers) most = Math.max(most, number)
  return most
}

function addTo(lists: Map<Task, Task[]>, key: Task, task: Task): void {
  const list = lists.get(key)
  if (list) list.push(task)
  else lists.set(key, [task])
}

/** Orders the tasks depth first. */
function tree(tasks: readonly Task[], levels: ReadonlyMap<Task, number>): Item[] {
  const known = new Map(tasks.map(task => [task.id, task] as const))
  const children = new Map<Task, Task[]>()
  const roots: Task[] = []
  for (const task of tasks) {
    if (!levels.has(task)) continue
    const parents = task.after.flatMap(id => known.get(id) ?? [])
    const last = parents.reduce<Task | undefined>(
      (a, b) => (a && (levels.get(a) ?? 0) >= (levels.get(b) ?? 0) ? a : b),
      undefined,
    )
    if (last) addTo(children, last, task)
    else roots.push(task)
  }
  const items: Item[] = []
  const pending = roots.toReversed()
  for (let task = pending.pop(); task; task = pending.pop()) {
    items.push(describeTask(task, levels.get(task) ?? 0))
    for (const child of (children.get(task) ?? []).toReversed()) pending.push(child)
  }
  return items
}

function leftOver(tasks: readonly Task[], levels: ReadonlyMap<Task, number>): Item[] {
  return tasks
    .filter(task => !levels.has(task))
    .map(task => describeTask(task, 0, 'part of a cycle'))
}

const DEEPEST_INDENT = 12

function describeTask({ id, after, value }: Task, level: number, mark?: string): Item {
  const { role_type, objective, allowed_tools, required_data_scopes, success_criteria } =
    fieldsOf(value)
  return item({
    id,
    marks: [role_type, mark],
    text: objective ?? (typeof value === 'object' ? undefined : value),
    depth: Math.min(level, DEEPEST_INDENT),
    details: [
      ...lines(['after', after], ['tools', allowed_tools], ['data', required_data_scopes]),
      ...listOf(success_criteria).flatMap(criterion => lines(['done when', criterion])),
    ],
  })
}
