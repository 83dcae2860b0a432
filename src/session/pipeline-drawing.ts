import type { Orchestration, PipelineProgress, State, Unit } from '../contracts/index.ts'
import type { Drawing, NodeStatus } from './graph.ts'
import { unitsOf } from './pipeline-address.ts'

/** The dependency graph: phases, agents and barriers by address, with an edge from each dependency. */
export interface PipelineGraph {
  readonly nodes: readonly Unit[]
  readonly edges: readonly { readonly from: string; readonly to: string }[]
}

/**
 * The graph of a pipeline: a phase leads to its agents, and its last agents lead to what depends on the phase.
 *
 * Nearly linear in the size of the document: the last agents of a phase are repeated for each dependent, and where
 * both are many, the phase stands for its agents.
 */
export function pipelineGraph(standing: PipelineProgress): PipelineGraph {
  const { graph, units } = standing
  const addressOf = (step: number) => units.get(step)?.address ?? ''
  const edges = new Map<string, { from: string; to: string }>()
  const add = (from: string, to: string) => {
    if (from !== to) edges.set(`${from}\n${to}`, { from, to })
  }
  const ends = endsOf(standing)
  const phaseOf = new Map(graph.agents.map(({ step, phase }) => [step, phase]))
  const groups = groupSources(standing)
  const sourcesOf = (on: number): readonly number[] => ends.get(on) ?? groups.get(on) ?? [on]
  const before = (step: number, to: string) => {
    for (const { on } of graph.meant[step] ?? [])
      for (const source of sourcesOf(on)) add(addressOf(source), to)
  }
  for (const { begin } of graph.phases) before(begin, addressOf(begin))
  for (const { step } of graph.barriers) before(step, addressOf(step))
  for (const { step, phase } of graph.agents) {
    const begin = graph.phases[phase]?.begin
    const others = (graph.meant[step] ?? []).filter(({ on }) => on !== begin)
    const inside = others.some(({ on }) => phaseOf.get(on) === phase)
    if (begin !== undefined && !inside) add(addressOf(begin), addressOf(step))
    for (const { on } of others)
      for (const source of sourcesOf(on)) add(addressOf(source), addressOf(step))
  }
  return { nodes: unitsOf(standing), edges: [...edges.values()] }
}

const MOST_ENDS = 12

/**
 * Queue groups are not drawn: a group's end is drawn as its agents without dependents in the group, and its start as its
 * dependencies, up to a limit.
 */
function groupSources({ graph, units }: PipelineProgress): Map<number, readonly number[]> {
  const waitsOf = (step: number) => (graph.meant[step] ?? []).map(({ on }) => on)
  const sources = new Map<number, readonly number[]>()
  for (const { end, members } of graph.groups) {
    const waitedFor = new Set(members.flatMap(waitsOf))
    const last = members.filter(step => !waitedFor.has(step))
    sources.set(end, last.slice(0, MOST_ENDS))
  }
  for (const { step } of graph.groups) {
    const before = waitsOf(step).flatMap(on => (units.has(on) ? [on] : (sources.get(on) ?? [])))
    sources.set(step, before.slice(0, MOST_ENDS))
  }
  return sources
}

/** The last agents of each phase, those without dependents in it; the phase itself if they are many. */
function endsOf({ graph }: PipelineProgress): Map<number, readonly number[]> {
  const phaseOf = new Map(graph.agents.map(({ step, phase }) => [step, phase]))
  const waitedFor = new Set<number>()
  for (const { step, phase } of graph.agents)
    for (const { on } of graph.meant[step] ?? []) if (phaseOf.get(on) === phase) waitedFor.add(on)
  const last = new Map<number, number[]>()
  for (const { step, phase } of graph.agents) {
    if (waitedFor.has(step)) continue
    const list = last.get(phase) ?? []
    last.set(phase, list)
    list.push(step)
  }
  return new Map(
    graph.phases.map(({ begin, end }, i) => {
      const agents = last.get(i) ?? []
      return [end, agents.length === 0 || agents.length > MOST_ENDS ? [begin] : agents]
    }),
  )
}

const STATUS: Readonly<Record<State, NodeStatus>> = {
  done: 'done',
  running: 'active',
  ready: 'ready',
  waiting: 'waiting',
  blocked: 'blocked',
  failed: 'failed',
}

/** Converts a pipeline to a graph to draw. */
export function drawingOf({ nodes, edges }: PipelineGraph, value: Orchestration): Drawing {
  return {
    nodes: nodes.map(unit => ({
      id: unit.address,
      label: [unit.address, titleOf(unit, value), unit.state].filter(Boolean).join('\n'),
      status: STATUS[unit.state],
    })),
    edges,
  }
}

/** The name of a phase, agent or barrier. */
export function titleOf({ path }: Unit, value: Orchestration): string | undefined {
  const place = path.reduce<unknown>(
    (inner, segment) => (inner as Record<string | number, unknown> | undefined)?.[segment],
    value,
  )
  const { name, role } = (place ?? {}) as { name?: string; role?: string }
  return name ?? role
}
