import { quote } from '../../contract/index.ts'
import type { MissionEnvelope } from '../../contracts/index.ts'
import type { Output, Reason } from '../../store/index.ts'
import type { MissionRecord } from '../run/record.ts'
import type { Payload, Task } from '../runner.ts'
import { decisionId } from './decision-id.ts'

type Reading = Pick<Task, 'task_id' | 'depends_on' | 'required_data_scopes'>

/** Which data scopes come to which tasks. */
interface DataReaching {
  /** By task: a bit for each scope that it names, or that a task before it names. */
  readonly masks: ReadonlyMap<string, bigint>
  namesIn(mask: bigint): readonly string[]
}

/**
 * The data that comes to each task: of the scopes that it names, and of those that the tasks before it name, whose results
 * it is given. What waits for itself is refused elsewhere, and has its own alone.
 */
export function dataReaching(tasks: readonly Reading[]): DataReaching {
  const names = [...new Set(tasks.flatMap(task => task.required_data_scopes))]
  const bits = new Map(names.map((name, i) => [name, 1n << BigInt(i)]))
  const masks = new Map<string, bigint>()
  const add = (task: string, mask: bigint) => masks.set(task, (masks.get(task) ?? 0n) | mask)
  if (names.length > 0) {
    for (const { task_id, required_data_scopes } of tasks)
      for (const name of required_data_scopes) add(task_id, bits.get(name) ?? 0n)
    for (const [from, to] of edgesInOrder(tasks)) add(to, masks.get(from) ?? 0n)
  }
  return {
    masks,
    namesIn: mask => names.filter((_, i) => (mask >> BigInt(i)) & 1n),
  }
}

/** From each task to those that wait for it, such that all that lead to a task come before those that lead from it. */
function* edgesInOrder(tasks: readonly Reading[]): Iterable<readonly [string, string]> {
  const after = new Map<string, string[]>(tasks.map(({ task_id }) => [task_id, []]))
  const open = new Map<string, number>()
  for (const { task_id, depends_on } of tasks) {
    const known = depends_on.filter(name => after.has(name))
    for (const name of known) after.get(name)?.push(task_id)
    open.set(task_id, (open.get(task_id) ?? 0) + known.length)
  }
  const ready = [...open].flatMap(([task, waits]) => (waits === 0 ? [task] : []))
  for (let from = ready.pop(); from !== undefined; from = ready.pop())
    for (const to of after.get(from) ?? []) {
      yield [from, to]
      const waits = (open.get(to) ?? 0) - 1
      open.set(to, waits)
      if (waits === 0) ready.push(to)
    }
}

/** What stands for the data of a mission, computed once for each state of its record. */
interface Known {
  readonly scopes: ReadonlyMap<string, readonly string[]>
  readonly decisions: ReadonlyMap<unknown, Payload>
}

const remembered = new WeakMap<MissionRecord, Known>()

function knownOf(record: MissionRecord): Known {
  const there = remembered.get(record)
  if (there) return there
  const tasks = record.graphs.flatMap(({ tasks: list }) => list as readonly Reading[])
  const known = {
    scopes: new Map(
      tasks.flatMap(({ task_id, required_data_scopes: names }) =>
        names.length > 0 ? [[task_id, names] as const] : [],
      ),
    ),
    decisions: new Map(record.decisions.map(one => [one.decision_id, one])),
  }
  remembered.set(record, known)
  return known
}

/** Who is about to be given what. */
interface Given {
  readonly mission: Pick<MissionEnvelope, 'mission_id'>
  readonly agent: string
  readonly task: Pick<Task, 'task_id' | 'role_type'>
  /** What the task is given, and by which tasks. */
  readonly inputs: readonly Pick<Output, 'task'>[]
}

/**
 * Why a task may not start: its agent would be given data that no decision of the mission allows it, be it what the task
 * names or what the tasks were allowed whose results it gets.
 */
export function dataFault(given: Given, record: MissionRecord): Reason | undefined {
  const { scopes, decisions } = knownOf(record)
  if (scopes.size === 0) return undefined
  const { mission, agent, task } = given
  const roles = [task.role_type]
  for (const from of new Set([task.task_id, ...given.inputs.map(input => input.task)]))
    for (const name of scopes.get(from) ?? []) {
      const about = { kind: 'data', name, agent: { id: agent, roles }, tools: [] } as const
      const id = decisionId(mission.mission_id, about)
      const found = decisions.get(id)
      if (found?.decision === 'allow') continue
      const why = found ? `: ${found.reason}` : ''
      const whose = from === task.task_id ? 'the task' : `what ${quote(from)} has returned`
      return {
        code: 'mission/data-denied',
        message: `${whose} needs the data scope ${quote(name)}, which is not allowed to ${agent}${why}`,
      }
    }
  return undefined
}
