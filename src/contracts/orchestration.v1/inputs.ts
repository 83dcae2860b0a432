import { quote } from '../../contract/index.ts'
import type { Path } from '../../document/index.ts'
import { normalPath, whyNotRelative } from '../paths.ts'
import { foldedPath } from '../reserved.ts'
import { isParallel } from './execution-mode.ts'
import { type Graph, graphOf, type PlacedAgent } from './graph.ts'
import { groupsOf } from './groups.ts'
import { notPreceded } from './order.ts'
import type { Orchestration } from './schema.ts'

/** An input that no earlier agent outputs. */
interface UnmetInput {
  /** As written in the document. */
  readonly input: string
  /** Relative, with forward slashes, without dots. */
  readonly normal: string
  readonly path: Path
  readonly agent: string
  /** The agent that outputs it, though not earlier. */
  readonly producer?: string
}

/**
 * Finds inputs of agents that no earlier agent outputs.
 *
 * Earlier agents: those listed before in the same phase (unless it is PARALLEL), those of an earlier phase of the
 * pipeline or an earlier group of the queue, and those ordered first by `depends_on`, `blocked_by` and barriers. An
 * agent outputs its `session_context.output` and `artifact`, a barrier its artifacts. Another rule covers invalid
 * paths.
 */
export function unmetInputs(value: Orchestration): UnmetInput[] {
  const graph = graphOf(value)
  const outputs = outputsOf(graph)
  const readers = readersOf(graph)
  const paths = [...readers.keys()]
  const questions = paths.map(path => ({
    before: outputs.get(path) ?? [],
    after: (readers.get(path) ?? []).map(reader => reader.step),
  }))
  const late = notPreceded(graph.meant, questions).map(steps => new Set(steps))
  const phases = phasesOf(graph)
  const groups = groupsOf(graph, value.execution_queue)
  return paths.flatMap((path, i) => {
    const before = outputs.get(path) ?? []
    const listed = firstInPhase(before, phases)
    const queued = before.reduce(
      (first, step) => Math.min(first, groups.get(step) ?? first),
      Number.POSITIVE_INFINITY,
    )
    return (readers.get(path) ?? [])
      .filter(({ step, phase }) => late[i]?.has(step) && (listed.get(phase) ?? step) >= step)
      .filter(({ step }) => queued >= (groups.get(step) ?? 0))
      .map(reader => unmet(reader, path, graph.labels[before.find(s => s !== reader.step) ?? -1]))
  })
}

function unmet({ agent, path }: PlacedAgent, normal: string, producer?: string): UnmetInput {
  return {
    input: agent.session_context?.input ?? '',
    normal,
    path: [...path, 'session_context', 'input'],
    agent: agent.id,
    ...(producer === undefined ? {} : { producer }),
  }
}

function readersOf({ agents }: Graph): Map<string, PlacedAgent[]> {
  const readers = new Map<string, PlacedAgent[]>()
  for (const placed of agents) {
    const path = relative(placed.agent.session_context?.input)
    if (path !== undefined) collect(readers, path, placed)
  }
  return readers
}

/** The steps that write each file: agents, and barriers that hand it over. */
export function outputsOf({ agents, barriers }: Graph): Map<string, number[]> {
  const outputs = new Map<string, number[]>()
  const add = (text: string | null | undefined, step: number) => {
    const path = relative(text)
    if (path !== undefined) collect(outputs, path, step)
  }
  for (const { agent, step } of agents) {
    add(agent.session_context?.output, step)
    add(agent.artifact, step)
  }
  for (const { barrier, step } of barriers) {
    for (const { path } of Object.values(barrier.artifacts ?? {})) add(path, step)
  }
  return outputs
}

/** A file that an agent writes although it is the session context of another. */
interface SharedOutput {
  readonly file: string
  readonly path: Path
  /** The owner of the session context, as messages name it. */
  readonly first: string
}

/**
 * Finds session contexts that several agents write: at each writer but the first, and at artifacts that overwrite one.
 *
 * An agent may be in several phases of its pipeline; the same id in another pipeline is another agent.
 */
export function sharedOutputs(value: Orchestration): SharedOutput[] {
  const { agents } = graphOf(value)
  const owners = new Map<string, PlacedAgent>()
  for (const placed of agents) {
    const key = fileKey(placed.agent.session_context?.output)
    if (key !== undefined && !owners.has(key)) owners.set(key, placed)
  }
  return agents.flatMap(placed => {
    const { id, session_context, artifact } = placed.agent
    const written = [
      { file: session_context?.output, path: [...placed.path, 'session_context', 'output'] },
      { file: artifact, path: [...placed.path, 'artifact'] },
    ]
    return written.flatMap(({ file, path }) => {
      const owner = owners.get(fileKey(file) ?? '')
      if (!file || !owner || isOneAgent(owner, placed)) return []
      const of = owner.agent.id === id ? ` of ${quote(pipelineOf(owner))}` : ''
      return [{ file, path, first: `${quote(owner.agent.id)}${of}` }]
    })
  })
}

/** The key under which a path is the same file on every system. */
function fileKey(file: string | null | undefined): string | undefined {
  const path = file ? relative(file) : undefined
  return path === undefined ? undefined : foldedPath(path)
}

const pipelineOf = ({ path }: PlacedAgent) => path[1]

function isOneAgent(one: PlacedAgent, other: PlacedAgent): boolean {
  return one.agent.id === other.agent.id && pipelineOf(one) === pipelineOf(other)
}

/** The phase of each agent whose list position determines when it runs. */
function phasesOf({ agents, phases }: Graph): Map<number, number> {
  const listed = agents.filter(({ phase }) => !isParallel(phases[phase]?.phase ?? {}))
  return new Map(listed.map(({ step, phase }) => [step, phase]))
}

/** The first of the given steps in each phase; agents are numbered in order. */
function firstInPhase(steps: readonly number[], phases: Map<number, number>): Map<number, number> {
  const first = new Map<number, number>()
  for (const step of steps) {
    const phase = phases.get(step)
    if (phase !== undefined && step < (first.get(phase) ?? Number.POSITIVE_INFINITY))
      first.set(phase, step)
  }
  return first
}

function relative(path: string | null | undefined): string | undefined {
  if (path === null || path === undefined || whyNotRelative(path) !== undefined) return undefined
  return normalPath(path)
}

function collect<T>(groups: Map<string, T[]>, key: string, item: T): void {
  const group = groups.get(key)
  if (group) group.push(item)
  else groups.set(key, [item])
}
