import type { Path } from '../../document/index.ts'
import { type Barrier, barriersOf } from './barriers.ts'
import { isSequential } from './execution-mode.ts'
import { groupsOf } from './groups.ts'
import type { Orchestration } from './schema.ts'

type Phase = Orchestration['pipelines'][string]['phases'][number]
type Agent = NonNullable<Phase['agents']>[number]
type Queue = NonNullable<Orchestration['execution_queue']>
type Group = NonNullable<Queue['groups']>[number]

/** A dependency; `path` points at its text, if any. */
export interface Wait {
  readonly on: number
  readonly path?: Path
}

/** An agent with its path and step number. */
export interface PlacedAgent {
  readonly step: number
  readonly phase: number
  readonly agent: Agent
  readonly path: Path
}

/** A barrier with its path and step number. */
interface PlacedBarrier {
  readonly step: number
  readonly barrier: Barrier
  readonly path: Path
}

/** A group of the queue with its path; its agents wait for `step`, and `end` waits for them. */
export interface PlacedGroup {
  readonly step: number
  readonly end: number
  readonly group: Group
  readonly path: Path
  /** The steps of its agents in order. */
  readonly members: readonly number[]
}

/** A dependency on an unknown name. */
interface Unknown {
  readonly name: string
  readonly path: Path
  /** The path of the dependent. */
  readonly owner: Path
  /** The steps of the dependent and its phase. */
  readonly own: readonly number[]
}

/**
 * The dependency graph. Steps are agents, barriers, and the starts and ends of phases and queue groups.
 *
 * An agent waits for the start of its phase, the end of a phase for its agents, and a phase for the phase before it.
 * Groups work alike, and others can name them. `meant` leaves out the order of groups in the queue; see `groupsOf`.
 */
export interface Graph {
  /** The name of each step; start and end of a phase share one. */
  readonly labels: readonly string[]
  /** What each step waits for: phase order, `depends_on`, and other statements of phases and barriers. */
  readonly waits: readonly (readonly Wait[])[]
  /** The same plus implied waits: barriers block the phases after those they wait for, and agents' `blocked_by`. */
  readonly meant: readonly (readonly Wait[])[]
  readonly phases: readonly PlacedPhase[]
  readonly agents: readonly PlacedAgent[]
  readonly barriers: readonly PlacedBarrier[]
  readonly groups: readonly PlacedGroup[]
  readonly unknown: readonly Unknown[]
  /** Every name that a dependency can use, with its step. */
  readonly names: ReadonlyMap<string, number>
  /** The end steps of groups by id; group ids are names only among groups. */
  readonly groupEnds: ReadonlyMap<string, number>
}

/** A phase with its path, and its start and end steps. */
export interface PlacedPhase {
  readonly begin: number
  readonly end: number
  readonly pipeline: string
  readonly phase: Phase
  readonly path: Path
  readonly agents: Map<string, number>
  /** Start of the next phase. */
  next?: number
}

/** Builds the graph of an orchestration; linear in its size. */
export function graphOf(value: Orchestration): Graph {
  const builder = new Builder()
  for (const [name, pipeline] of Object.entries(value.pipelines))
    builder.pipeline(name, pipeline.phases)
  for (const placed of barriersOf(value)) builder.barrier(...placed)
  builder.queue(value.execution_queue)
  builder.aliases(value)
  builder.dependencies()
  return builder
}

class Builder implements Graph {
  readonly labels: string[] = []
  readonly waits: Wait[][] = []
  readonly meant: Wait[][] = []
  readonly agents: PlacedAgent[] = []
  readonly barriers: PlacedBarrier[] = []
  readonly groups: PlacedGroup[] = []
  readonly unknown: Unknown[] = []
  readonly phases: PlacedPhase[] = []
  readonly names = new Map<string, number>()
  /** Phases by end step. */
  private readonly ends = new Map<number, PlacedPhase>()
  readonly groupEnds = new Map<string, number>()

  pipeline(name: string, phases: readonly Phase[]): void {
    let before: PlacedPhase | undefined
    for (const [i, phase] of phases.entries()) {
      const label = `${name}.phase.${phase.id}`
      const [begin, end] = [this.step(label), this.step(label)]
      const path = ['pipelines', name, 'phases', i]
      const placed: PlacedPhase = { begin, end, pipeline: name, phase, path, agents: new Map() }
      this.wait(end, begin)
      if (before) {
        this.wait(begin, before.end)
        before.next = begin
      }
      this.phases.push(placed)
      this.ends.set(end, placed)
      this.name(label, end)
      for (const [j, agent] of (phase.agents ?? []).entries())
        this.agent(agent, [...path, 'agents', j], placed)
      before = placed
    }
  }

  barrier(barrier: Barrier, id: string | undefined, path: Path): void {
    const step = this.step(id ?? `barrier ${Number(path.at(-1)) + 1}`)
    this.barriers.push({ step, barrier, path })
    if (id !== undefined) this.name(id, step)
  }

  queue(queue: Orchestration['execution_queue']): void {
    const steps = new Map(this.agents.map(({ agent, step }) => [agent.id, step]))
    const members = groupsOf(this, queue)
    let before: number | undefined
    for (const [i, group] of (queue?.groups ?? []).entries()) {
      const begin = this.step(`group-${group.id}`)
      const end = this.step(`group-${group.id}`)
      const path = ['execution_queue', 'groups', i]
      this.wait(end, begin)
      if (before !== undefined) this.inOrder(begin, before)
      before = end
      this.name(`group-${group.id}`, end)
      if (!this.groupEnds.has(`${group.id}`)) this.groupEnds.set(`${group.id}`, end)
      const placed = (group.agents ?? []).flatMap((id, j) => {
        const step = steps.get(id)
        return step !== undefined && members.get(step) === i ? [{ step, j }] : []
      })
      this.groups.push({ step: begin, end, group, path, members: placed.map(one => one.step) })
      for (const [k, { step, j }] of placed.entries()) {
        const place = [...path, 'agents', j]
        this.wait(step, begin, place)
        this.wait(end, step, place)
        const last = placed[k - 1]
        if (last && isSequential(group)) this.wait(step, last.step, place)
      }
    }
  }

  /** Other names of phases, unless a name is already taken. */
  aliases({ pipelines }: Orchestration): void {
    for (const { pipeline, phase, end } of this.phases) {
      const { id, short_alias } = pipelines[pipeline] ?? {}
      for (const name of [pipeline, id, short_alias]) {
        if (name === undefined) continue
        this.name(`${name}.phase.${phase.id}`, end)
        this.name(`${name}-phase-${phase.id}`, end)
      }
    }
  }

  dependencies(): void {
    for (const { begin, end, phase, path } of this.phases) {
      this.dependsOn(begin, phase, path, [end])
      this.waitIfKnown(begin, phase.blocked_by, [...path, 'blocked_by'])
    }
    for (const { step, phase, agent, path } of this.agents) {
      const within = this.phases[phase]
      this.dependsOn(step, agent, path, within ? [step, within.end] : [], within?.agents)
      // An agent is often blocked only temporarily, such as a writer by its critic, so this is not a cycle.
      const on = this.names.get(agent.blocked_by ?? '')
      if (on !== undefined) this.meant[step]?.push({ on })
    }
    for (const { step, barrier, path } of this.barriers) {
      this.dependsOn(step, barrier, path, [step])
      this.waitIfKnown(step, barrier.blocked_by, [...path, 'blocked_by'])
      for (const [i, name] of (barrier.after_phases ?? []).entries())
        this.waitFor(step, name, [...path, 'after_phases', i], path, [step])
      this.holdBack(step)
    }
    for (const { step, end, group, path } of this.groups) {
      this.dependsOn(step, group, path, [end], this.groupEnds)
      this.waitIfKnown(step, group.blocked_by, [...path, 'blocked_by'], this.groupEnds)
    }
  }

  private agent(agent: Agent, path: Path, phase: PlacedPhase): void {
    const step = this.step(agent.id)
    this.wait(step, phase.begin)
    this.wait(phase.end, step)
    this.agents.push({ step, phase: this.phases.length - 1, agent, path })
    if (!phase.agents.has(agent.id)) phase.agents.set(agent.id, step)
    this.name(agent.id, step)
  }

  private dependsOn(
    step: number,
    { depends_on: on }: Pick<Group, 'depends_on'>,
    path: Path,
    own: readonly number[],
    near?: Map<string, number>,
  ): void {
    const isList = Array.isArray(on)
    const names = isList ? on : [on ?? []].flat()
    for (const [i, name] of names.entries())
      this.waitFor(
        step,
        `${name}`,
        [...path, 'depends_on', ...(isList ? [i] : [])],
        path,
        own,
        near,
      )
  }

  private waitFor(
    step: number,
    name: string,
    path: Path,
    owner: Path,
    own: readonly number[],
    near?: Map<string, number>,
  ): void {
    const target = near?.get(name) ?? this.names.get(name)
    if (target === undefined) this.unknown.push({ name, path, owner, own })
    else this.wait(step, target, path)
  }

  private waitIfKnown(
    step: number,
    name: string | null | undefined,
    path: Path,
    near?: Map<string, number>,
  ): void {
    const on = near?.get(name ?? '') ?? this.names.get(name ?? '')
    if (on !== undefined) this.wait(step, on, path)
  }

  /** A barrier blocks the phases after the last one that it waits for in each pipeline. */
  private holdBack(barrier: number): void {
    const last = new Map<string, PlacedPhase>()
    for (const { on } of this.meant[barrier] ?? []) {
      const phase = this.ends.get(on)
      if (phase && phase.end > (last.get(phase.pipeline)?.end ?? -1))
        last.set(phase.pipeline, phase)
    }
    for (const { next } of last.values()) {
      if (next !== undefined) this.meant[next]?.push({ on: barrier })
    }
  }

  private step(label: string): number {
    this.waits.push([])
    this.meant.push([])
    return this.labels.push(label) - 1
  }

  private name(name: string, step: number): void {
    if (!this.names.has(name)) this.names.set(name, step)
  }

  private wait(step: number, on: number, path?: Path): void {
    this.inOrder(step, on, path)
    this.meant[step]?.push({ on })
  }

  private inOrder(step: number, on: number, path?: Path): void {
    this.waits[step]?.push(path ? { on, path } : { on })
  }
}
