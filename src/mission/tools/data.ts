import { quote } from '../../contract/index.ts'
import type { MissionEnvelope } from '../../contracts/index.ts'
import type { Output, Reason } from '../../store/index.ts'
import type { MissionRecord } from '../run/record.ts'
import type { Payload, Task } from '../runner.ts'
import { decisionId } from './decision-id.ts'

type Reading = Pick<Task, 'task_id' | 'depends_on' | 'required_data_scopes'>

/** The data scopes whose data reaches each task. */
interface DataReaching {
  /** By task: a bit for each scope of the task or of one that it depends on. */
  readonly masks: ReadonlyMap<string, bigint>
  namesIn(mask: bigint): readonly string[]
}

/**
 * Computes the data scopes that reach each task: its own, and those of the tasks whose results it gets. Cycles are
 * refused elsewhere.
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

/** The edges from each task to its dependents, in topological order. */
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

/** The scopes and decisions of a mission, cached by record. */
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

/** A task about to receive data. */
interface Given {
  readonly mission: Pick<MissionEnvelope, 'mission_id'>
  readonly agent: string
  readonly task: Pick<Task, 'task_id' | 'role_type'>
  /** The inputs, with the tasks that produced them. */
  readonly inputs: readonly Pick<Output, 'task'>[]
}

/** Why a task must not start: no decision of the mission allows its agent the data of the task or of its inputs. */
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
      const whose = from === task.task_id ? 'the task' : `the result of ${quote(from)}`
      return {
        code: 'mission/data-denied',
        message: `${whose} needs the data scope ${quote(name)}, which is not allowed to ${agent}${why}`,
      }
    }
  return undefined
}
