import type { Orchestration } from './schema.ts'

interface Member {
  readonly step: number
  readonly agent: { readonly id: string }
}

/** The queue group of each agent; ids that occur twice on either side are left out. */
export function groupsOf(
  { agents }: { readonly agents: readonly Member[] },
  queue: Orchestration['execution_queue'],
): Map<number, number> {
  const steps = uniqueOnly(agents.map(({ agent, step }) => [agent.id, step]))
  const queued = uniqueOnly(
    (queue?.groups ?? []).flatMap(({ agents: ids = [] }, i) => ids.map(id => [id, i] as const)),
  )
  const groups = new Map<number, number>()
  for (const [id, group] of queued) {
    const step = steps.get(id)
    if (step !== undefined) groups.set(step, group)
  }
  return groups
}

function uniqueOnly(entries: readonly (readonly [string, number])[]): Map<string, number> {
  const unique = new Map(entries)
  const seen = new Set<string>()
  for (const [key] of entries) {
    if (seen.has(key)) unique.delete(key)
    seen.add(key)
  }
  return unique
}
