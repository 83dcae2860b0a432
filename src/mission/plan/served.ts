import type { MissionTaskGraph } from '../../contracts/index.ts'
import type { Payload, Task } from '../runner.ts'

/** The tasks that a prompt master or librarian serves: those that depend on it, directly or indirectly. */
export function servedBy(
  { task_id: own, role_type: role }: Pick<Task, 'task_id' | 'role_type'>,
  graphs: readonly Payload[],
): readonly string[] | undefined {
  if (role !== 'prompt_master' && role !== 'librarian') return undefined
  const tasks = (graphs as unknown as readonly MissionTaskGraph[]).flatMap(graph => graph.tasks)
  const waiting = new Map<string, string[]>()
  for (const { task_id, depends_on } of tasks)
    for (const name of depends_on) {
      const those = waiting.get(name)
      if (those) those.push(task_id)
      else waiting.set(name, [task_id])
    }
  const served = new Set(waiting.get(own))
  // A set iterates over elements added during iteration.
  for (const name of served) for (const next of waiting.get(name) ?? []) served.add(next)
  return [...served]
}
