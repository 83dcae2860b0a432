import { formatPointer, type Path } from '../../document/index.ts'
import type { Graph, PlacedAgent, PlacedGroup, PlacedPhase } from './graph.ts'
import type { Orchestration } from './schema.ts'

/** A phase, agent or barrier with its names and status. */
export interface Name {
  readonly kind: 'phase' | 'agent' | 'barrier'
  /** `pipeline/phase/agent`, `pipeline/phase`, or the id of a barrier. */
  readonly address: string
  /** The status in the document. */
  readonly stated: string | undefined
  readonly path: Path
  /** The names of its pipeline, its phase and itself, where known; each may have several. */
  readonly names: readonly (readonly string[])[]
}

/** The name of every step; start and end of a phase share one. */
export function namesOf(value: Orchestration, graph: Graph): Map<number, Name> {
  const names = new Map<number, Name>()
  for (const { begin, end, pipeline, phase, path } of graph.phases) {
    const { id, short_alias } = value.pipelines[pipeline] ?? {}
    const own = [pipeline, id, short_alias].filter(name => name !== undefined)
    const name: Name = {
      kind: 'phase',
      address: `${pipeline}/${phase.id}`,
      stated: phase.status,
      path,
      names: [own, phaseNames(own, `${phase.id}`)],
    }
    names.set(begin, name)
    names.set(end, name)
  }
  for (const { step, agent, phase, path } of graph.agents) {
    const above = names.get(graph.phases[phase]?.begin ?? -1)
    names.set(step, {
      kind: 'agent',
      address: `${above?.address}/${agent.id}`,
      stated: agent.status,
      path,
      names: [...(above?.names ?? []), [agent.id]],
    })
  }
  for (const { step, barrier, path } of graph.barriers) {
    const address = graph.labels[step] ?? ''
    names.set(step, { kind: 'barrier', address, stated: barrier.status, path, names: [[address]] })
  }
  return names
}

function phaseNames(pipelines: readonly string[], id: string): string[] {
  const inPipeline = pipelines.flatMap(name => [`${name}.phase.${id}`, `${name}-phase-${id}`])
  return [id, `phase.${id}`, `phase-${id}`, ...inPipeline]
}

/**
 * The completed steps: agents, ends of phases, barriers, ends of queue groups.
 *
 * A phase is done when both its status and its agents say so; if either has no status, the other decides. Statuses of
 * invalid parts do not count. A group is done when its agents are; its own status counts only for what they leave open.
 */
export function doneSteps(graph: Graph, faulty: ReadonlySet<string>): Set<number> {
  const done = doneUnits(graph, faulty)
  for (const placed of graph.groups) if (isGroupDone(placed, done)) done.add(placed.end)
  return done
}

function doneUnits(graph: Graph, faulty: ReadonlySet<string>): Set<number> {
  const done = new Set<number>()
  const open = new Set<number>()
  const counts = (path: Path) => !faulty.has(formatPointer(path))
  for (const placed of graph.agents) {
    const outcome = counts(placed.path) ? outcomeOf(placed, graph.phases[placed.phase]) : 'open'
    if (outcome === 'done') done.add(placed.step)
    if (outcome === 'open') open.add(placed.phase)
  }
  for (const [i, { end, phase, path }] of graph.phases.entries())
    if (isCalledDone(phase) && !open.has(i) && counts(path)) done.add(end)
  for (const { step, barrier, path } of graph.barriers)
    if (barrier.status === 'COMPLETE' && counts(path)) done.add(step)
  return done
}

function isGroupDone(placed: PlacedGroup, done: ReadonlySet<number>): boolean {
  const isDone = placed.members.every(step => done.has(step))
  return isDone && (placed.group.status === 'COMPLETE' || isToldByAgents(placed))
}

/** Whether its agents determine a group's progress; if some are unknown, and for tasks, only its status does. */
export function isToldByAgents({
  members,
  group: { agents = [], tasks = [] },
}: PlacedGroup): boolean {
  return members.length > 0 && members.length === agents.length && tasks.length === 0
}

function isCalledDone({ status, agents = [] }: PlacedPhase['phase']): boolean {
  return status === undefined ? agents.length > 0 : status === 'COMPLETE'
}

function outcomeOf({ agent }: PlacedAgent, around: PlacedPhase | undefined) {
  const above = around?.phase.status
  if ((agent.status ?? above) === 'COMPLETE') return 'done'
  // A complete phase may have failed agents: the work went on without them.
  return agent.status === 'FAILED' && above === 'COMPLETE' ? 'dropped' : 'open'
}

/** The first incomplete group of the queue; a group with no work blocks nothing. */
export function firstOpenGroup({ groups }: Graph, done: ReadonlySet<number>): number | undefined {
  const first = groups.findIndex(({ end, group: { agents = [], tasks = [] } }) => {
    const isEmpty = agents.length === 0 && tasks.length === 0
    return !isEmpty && !done.has(end)
  })
  return first < 0 ? undefined : first
}
