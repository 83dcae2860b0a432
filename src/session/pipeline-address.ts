import {
  barriersOf,
  inOrder,
  type Orchestration,
  type PipelineProgress,
  type Unit,
} from '../contracts/index.ts'

/** All phases, agents and barriers of a pipeline document, phases before their agents. */
export function unitsOf({ graph, units }: PipelineProgress): Unit[] {
  const agents = new Map<number, Unit[]>()
  for (const { step, phase } of graph.agents) {
    const unit = units.get(step)
    const list = agents.get(phase) ?? []
    agents.set(phase, list)
    if (unit) list.push(unit)
  }
  return [
    ...graph.phases.flatMap(({ begin }, i) => [...take(units, begin), ...(agents.get(i) ?? [])]),
    ...graph.barriers.flatMap(({ step }) => take(units, step)),
  ]
}

function take(units: PipelineProgress['units'], step: number): Unit[] {
  const unit = units.get(step)
  return unit ? [unit] : []
}

/**
 * Finds the phases, agents and barriers that an address matches.
 *
 * A full address matches its unit. Otherwise `pipeline/phase/agent` may omit any part but the last, and each part may be
 * any name of its unit, such as `ps.phase.1` or an alias of the pipeline.
 */
export function findUnits(units: readonly Unit[], target: string): Unit[] {
  const exact = units.filter(({ address }) => address === target)
  if (exact.length > 0) return exact
  const parts = target.split('/')
  return units.filter(unit => isMeant(unit, [target]) || isMeant(unit, parts))
}

function isMeant({ names }: Unit, parts: readonly string[]): boolean {
  const wanted = parts.toReversed()
  const [last, ...above] = names.toReversed()
  if (!last?.includes(wanted[0] ?? '')) return false
  let at = 1
  for (const names of above) if (names.includes(wanted[at] ?? '')) at++
  return at === wanted.length
}

/** The agents of each phase; a phase precedes its agents in the list. */
export function agentsIn(units: readonly Unit[]): ReadonlyMap<Unit, readonly Unit[]> {
  const agents = new Map<Unit, Unit[]>()
  let own: Unit[] = []
  for (const unit of units) {
    if (unit.kind === 'agent') own.push(unit)
    else if (unit.kind === 'phase') {
      own = []
      agents.set(unit, own)
    }
  }
  return agents
}

/** The ready units, in dependency order. */
export function inStartingOrder({ graph, units }: PipelineProgress): Unit[] {
  const ready = inOrder(graph.meant).flatMap(step => {
    const unit = units.get(step)
    return unit?.state === 'ready' ? [unit] : []
  })
  return [...new Set(ready)]
}

/** The document's entry of an agent. */
export function agentAt({ kind, path }: Unit, value: Orchestration) {
  const [, pipeline = '', , phase = 0, , agent = 0] = path
  if (kind !== 'agent') return undefined
  return value.pipelines[pipeline]?.phases[Number(phase)]?.agents?.[Number(agent)]
}

/** The files that an agent declares as outputs, or a barrier as handed over. */
export function filesOf(unit: Unit, value: Orchestration): string[] {
  const agent = agentAt(unit, value)
  const own = [agent?.session_context?.output, agent?.artifact]
  const barrier =
    unit.kind === 'barrier'
      ? [...barriersOf(value)].find(([, , path]) => path[1] === unit.path[1])?.[0]
      : undefined
  const handedOver = Object.values(barrier?.artifacts ?? {}).map(({ path }) => path)
  return [...new Set([...own, ...handedOver])].filter(
    path => typeof path === 'string' && path !== '',
  ) as string[]
}
