import { formatPointer, type Path } from '../../document/index.ts'
import { normalPath, whyNotRelative } from '../paths.ts'
import { isSequential } from './execution-mode.ts'
import { type Graph, graphOf } from './graph.ts'
import { groupsOf } from './groups.ts'
import { outputsOf } from './inputs.ts'
import { doneSteps, firstOpenGroup, type Name, namesOf } from './progress.ts'
import type { Orchestration } from './schema.ts'
import type { SoundPart } from './sound-part.ts'

/** The state of a phase, agent or barrier, from its status and everything that it waits for. */
export type State = 'done' | 'running' | 'ready' | 'waiting' | 'blocked' | 'failed'

/** Why something cannot proceed. */
export interface Reason {
  readonly kind: Name['kind'] | 'queue' | 'input' | 'stated' | 'unknown' | 'workflow' | 'fault'
  /** The address, name or path of the obstacle. */
  readonly on: string
  readonly message: string
  /** No running work will remove the obstacle. */
  readonly stuck: boolean
}

/** A phase, agent or barrier with its state. */
export interface Unit extends Name {
  readonly state: State
  readonly reasons: readonly Reason[]
}

/** The state of every part of a pipeline. */
export interface PipelineProgress {
  readonly graph: Graph
  /** By step: one for an agent or barrier, both for a phase. */
  readonly units: ReadonlyMap<number, Unit>
  /** The completed steps: agents, barriers, ends of phases and of queue groups. */
  readonly done: ReadonlySet<number>
}

/** Above this number, the reasons of a phase are not repeated for its agents. */
const MOST_SHARED = 20
const STUCK: ReadonlySet<string | undefined> = new Set(['FAILED', 'BLOCKED'])

/**
 * Computes the state of every part.
 *
 * An agent is ready when everything that it waits for is done and its session context exists. `isThere` tells whether a
 * file exists, by its path from the root.
 */
export function progressOf(sound: SoundPart, isThere: (path: string) => boolean): PipelineProgress {
  return new Survey(sound, isThere)
}

class Survey implements PipelineProgress {
  readonly graph: Graph
  readonly units = new Map<number, Unit>()
  readonly #faulty: ReadonlySet<string>
  readonly #isThere: (path: string) => boolean
  readonly #names: ReadonlyMap<number, Name>
  readonly done: ReadonlySet<number>
  readonly #outputs: ReadonlyMap<string, readonly number[]>
  readonly #groups: ReadonlyMap<number, number>
  readonly #firstGroup: number | undefined
  /** The name of a queue group, by its end step. */
  readonly #groupNames: ReadonlyMap<number, string>
  readonly #unknown = new Map<string, string[]>()
  readonly #everywhere: readonly Reason[]

  constructor({ value, faulty }: SoundPart, isThere: (path: string) => boolean) {
    this.#faulty = faulty
    this.#isThere = isThere
    this.graph = graphOf(value)
    this.#names = namesOf(value, this.graph)
    this.done = doneSteps(this.graph, faulty)
    this.#outputs = outputsOf(this.graph)
    this.#groups = groupsOf(this.graph, value.execution_queue)
    this.#firstGroup = firstOpenGroup(this.graph, this.done)
    this.#groupNames = new Map(
      this.graph.groups.map(({ end, group }) => [end, `group ${group.id}`]),
    )
    for (const { name, owner } of this.graph.unknown) {
      const pointer = formatPointer(owner)
      this.#unknown.set(pointer, [...(this.#unknown.get(pointer) ?? []), name])
    }
    this.#everywhere = workflowReasons(value, faulty)
    this.#judgePhases()
    this.#judgeAgents()
    for (const { step, barrier, path } of this.graph.barriers)
      this.#add(step, step, [
        ...this.#waits(step),
        ...this.#held(step, barrier.blocked_by),
        ...this.#faults(path),
      ])
  }

  #judgePhases(): void {
    for (const { begin, end, phase, path } of this.graph.phases) {
      this.#add(begin, end, [
        ...this.#waits(begin),
        ...this.#held(begin, phase.blocked_by),
        ...this.#faults(path),
      ])
      const unit = this.units.get(begin)
      if (unit) this.units.set(end, unit)
    }
  }

  #judgeAgents(): void {
    const shared = this.graph.phases.map(({ begin }) =>
      [...(this.units.get(begin)?.reasons ?? [])]
        .sort((a, b) => Number(b.stuck) - Number(a.stuck))
        .slice(0, MOST_SHARED),
    )
    const ofGroups = this.graph.groups.map(group => this.#groupReasons(group))
    for (const { step, agent, phase, path } of this.graph.agents) {
      const around = this.graph.phases[phase]
      const inTurn = isSequential(around?.phase ?? {}) ? this.#turn(step, phase) : []
      this.#add(step, step, [
        ...(shared[phase] ?? []),
        ...this.#waits(step, around?.begin),
        ...inTurn,
        ...this.#held(step, agent.blocked_by),
        ...this.#faults(path),
        ...this.#queue(step),
        ...(ofGroups[this.#groups.get(step) ?? -1] ?? []),
        ...this.#input(agent.session_context?.input),
      ])
    }
  }

  #groupReasons({ step, group: { id, blocked_by: by }, path }: Graph['groups'][number]): Reason[] {
    const on = `group ${id}`
    const held: Reason[] =
      by && !this.graph.names.has(by) && !this.graph.groupEnds.has(by)
        ? [{ kind: 'stated', on, message: `${on} is blocked by: ${by}`, stuck: true }]
        : []
    return [...held, ...this.#faults(path), ...this.#waits(step)].slice(0, MOST_SHARED)
  }

  #add(step: number, end: number, found: readonly Reason[]): void {
    const name = this.#names.get(step)
    if (!name) return
    const all = [...this.#everywhere, ...found].map(r => [`${r.kind} ${r.on}`, r] as const)
    const reasons = this.done.has(end) ? [] : [...new Map(all).values()]
    this.units.set(step, { ...name, state: this.#stateOf(name.stated, end, reasons), reasons })
  }

  #stateOf(stated: string | undefined, end: number, reasons: readonly Reason[]): State {
    if (this.done.has(end)) return 'done'
    if (stated === 'FAILED') return 'failed'
    if (stated === 'IN_PROGRESS') return 'running'
    if (reasons.some(({ stuck }) => stuck)) return 'blocked'
    return reasons.length > 0 || stated === 'COMPLETE' ? 'waiting' : 'ready'
  }

  #waits(step: number, except?: number): Reason[] {
    return (this.graph.meant[step] ?? []).flatMap(({ on }) => {
      const name = this.#names.get(on)
      if (on === except || this.done.has(on)) return []
      // The start of a group has no name, so name the group.
      if (!name) return this.#group(on)
      const { kind, address, stated } = name
      const message =
        stated === 'COMPLETE'
          ? `${address} has status COMPLETE, but is not complete`
          : `${address} is ${stated ?? 'not complete'}`
      return [{ kind, on: address, message, stuck: STUCK.has(stated) }]
    })
  }

  /** Where agents of a phase run one after another, each waits for the one before it; their steps are consecutive. */
  #turn(step: number, phase: number): Reason[] {
    const before = this.#names.get(step - 1)
    const around = this.graph.phases[phase]
    if (!before || step - 1 === around?.end || this.done.has(step - 1)) return []
    const message = `${before.address} is ${before.stated ?? 'not complete'} and comes first`
    return [{ kind: 'agent', on: before.address, message, stuck: STUCK.has(before.stated) }]
  }

  /** BLOCKED by something done is no longer BLOCKED; by something unknown, it stays so until the document changes. */
  #held(step: number, by: string | null | undefined): Reason[] {
    const name = this.#names.get(step)
    const isKnown = typeof by === 'string' && this.graph.names.has(by)
    if (!name || isKnown || (name.stated !== 'BLOCKED' && !by)) return []
    const message = by
      ? `${name.address} is blocked by: ${by}`
      : `${name.address} is BLOCKED without a stated reason`
    return [{ kind: 'stated', on: name.address, message, stuck: true }]
  }

  #faults(path: Path): Reason[] {
    const pointer = formatPointer(path)
    const reasons = (this.#unknown.get(pointer) ?? []).map(
      (on): Reason => ({
        kind: 'unknown',
        on,
        message: `there is no '${on}' to depend on`,
        stuck: true,
      }),
    )
    if (this.#faulty.has(pointer) || this.#faulty.has(formatPointer(path.slice(0, 2))))
      reasons.push({
        kind: 'fault',
        on: pointer,
        message: 'the document is invalid here',
        stuck: true,
      })
    return reasons
  }

  #queue(step: number): Reason[] {
    const own = this.#groups.get(step)
    if (own === undefined || this.#firstGroup === undefined || this.#firstGroup >= own) return []
    return this.#group(this.graph.groups[this.#firstGroup]?.end)
  }

  #group(end: number | undefined): Reason[] {
    const on = this.#groupNames.get(end ?? -1)
    if (on === undefined) return []
    return [{ kind: 'queue', on, message: `${on} of the queue comes first`, stuck: false }]
  }

  #input(input: string | null | undefined): Reason[] {
    if (!input) return []
    const reason = (message: string, stuck: boolean): Reason[] => [
      { kind: 'input', on: input, message, stuck },
    ]
    const wrong = whyNotRelative(input)
    if (wrong) return reason(`its input ${input} ${wrong}`, true)
    const path = normalPath(input) ?? ''
    if (this.#isThere(path)) return []
    const writers = (this.#outputs.get(path) ?? []).flatMap(step => this.#names.get(step) ?? [])
    const open = writers.find(({ stated }) => stated !== 'COMPLETE')
    if (open)
      return reason(
        `its input ${input} does not exist yet; ${open.address} has to write it`,
        STUCK.has(open.stated),
      )
    const [writer] = writers
    return reason(
      `its input ${input} does not exist, ${writer ? `though ${writer.address} should have written it` : 'and no agent writes it'}`,
      true,
    )
  }
}

function workflowReasons(value: Orchestration, faulty: ReadonlySet<string>): Reason[] {
  const status = value.workflow?.status ?? 'ACTIVE'
  const stopped: Reason[] =
    status === 'ACTIVE'
      ? []
      : [{ kind: 'workflow', on: status, message: `the workflow is ${status}`, stuck: true }]
  const broken = ['workflow', 'execution_queue', 'barriers', 'pipelines'].filter(section =>
    faulty.has(`/${section}`),
  )
  return [
    ...stopped,
    ...broken.map((on): Reason => {
      const message = `'${on}' of the document is invalid`
      return { kind: 'fault', on, message, stuck: true }
    }),
  ]
}
