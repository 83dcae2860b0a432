import {
  groupsOf,
  isSequential,
  isToldByAgents,
  normalPath,
  outputsOf,
  type Unit,
} from '../../contracts/index.ts'
import { formatInstant } from '../../document/index.ts'
import { type Missions, PIPELINE } from '../../mission/index.ts'
import { agentAt, titleOf } from '../../session/index.ts'
import { sha256 } from '../../workspace/index.ts'
import type { Pipeline } from './open.ts'

/** The parameters of a mission that the file does not contain. */
export interface PlanParameters {
  readonly tenant: string
  /** The log of the file's repository. */
  readonly installation: string
  /** Its worktree, as `worktreeOf` names it. */
  readonly worktree: string
  readonly actor: string
  readonly timeBudgetMs?: number | undefined
  readonly tokenBudget?: number | undefined
  /** The current time, in milliseconds since the epoch. */
  readonly now: number
  /** How many missions the file had before. */
  readonly earlier: number
}

/** A mission made from an orchestration file. */
export interface PipelinePlan {
  readonly id: string
  readonly envelope: Readonly<Record<string, unknown>>
  readonly graph: Readonly<Record<string, unknown>>
  /** Canonical agent ids by task. */
  readonly agents: Readonly<Record<string, string>>
}

/** The agents that can run, and the units that no running work will unblock. */
export interface Open {
  readonly agents: readonly PlannedAgent[]
  readonly left: readonly Unit[]
}

/** An agent with work left, and the agents before it. */
export interface PlannedAgent {
  readonly unit: Unit
  readonly step: number
  /** Addresses. */
  readonly after: readonly string[]
}

/** Blockers that other agents cannot resolve. */
const STUCK: readonly string[] = ['stated', 'unknown', 'workflow', 'fault']

/** Returns the agents of a pipeline that are not complete, with their dependencies. */
export function openAgents(pipeline: Pipeline): Open {
  const { graph, units } = pipeline.standing
  const before = precedence(pipeline)
  const open = graph.agents.filter(({ step }) => isOpen(units.get(step)))
  const steps = new Set(open.map(({ step }) => step))
  const left = new Set(open.filter(({ step }) => isStuck(step, pipeline)).map(({ step }) => step))
  for (let known = -1; known < left.size; ) {
    known = left.size
    for (const { step } of open)
      if (before(step).some(on => left.has(on) || !isPassable(on, pipeline))) left.add(step)
  }
  const unitAt = (step: number) => units.get(step) as Unit
  return {
    left: [...left].map(unitAt),
    agents: open
      .filter(({ step }) => !left.has(step))
      .map(({ step }) => ({
        step,
        unit: unitAt(step),
        after: [
          ...new Set(
            before(step)
              .filter(on => steps.has(on))
              .map(on => unitAt(on).address),
          ),
        ],
      })),
  }
}

function isOpen(unit: Unit | undefined): unit is Unit {
  return unit !== undefined && unit.state !== 'done'
}

function isStuck(step: number, { standing }: Pipeline): boolean {
  return (standing.units.get(step)?.reasons ?? []).some(
    ({ kind, stuck, on }) =>
      stuck &&
      (STUCK.includes(kind) ||
        (kind === 'input' && on !== undefined && !isAwaited(step, { standing }))),
  )
}

/** Reports whether a missing input will be written by an agent that is still to run. */
function isAwaited(
  step: number,
  { standing: { graph, units } }: Pick<Pipeline, 'standing'>,
): boolean {
  const agent = graph.agents.find(placed => placed.step === step)?.agent
  const path = normalPath(agent?.session_context?.input ?? '') ?? ''
  return (outputsOf(graph).get(path) ?? []).some(on => isOpen(units.get(on)))
}

/**
 * Reports whether work can pass a step. Phases without agents, held barriers, and queue groups with members other than
 * agents need a person.
 */
function isPassable(step: number, { standing }: Pipeline): boolean {
  const group = standing.graph.groups.find(({ end }) => end === step)
  if (group) return isToldByAgents(group) || standing.done.has(step)
  const unit = standing.units.get(step)
  if (!isOpen(unit) || unit.kind === 'agent') return true
  if (unit.reasons.some(({ kind, stuck }) => stuck && STUCK.includes(kind))) return false
  const placed = standing.graph.phases.find(({ end }) => end === step)
  return placed === undefined || (placed.phase.agents ?? []).length > 0
}

/** Returns the steps that must be done before a step: agents and the open steps between them. */
function precedence(pipeline: Pipeline): (step: number) => readonly number[] {
  const { standing, value } = pipeline
  const { graph, units, done } = standing
  const agents = new Map(graph.agents.map(placed => [placed.step, placed]))
  const groups = groupsOf(graph, value.execution_queue)
  const outputs = outputsOf(graph)
  const beginnings = beginningsOf(pipeline)
  const known = new Map<number, readonly number[]>()
  const found = (step: number): readonly number[] => {
    const seen = new Set<number>()
    const open = [...ownWaits(step)]
    for (let on = open.pop(); on !== undefined; on = open.pop()) {
      // A queue group is not a unit: waiting for it means waiting for its agents and their dependencies.
      if (seen.has(on) || done.has(on) || (units.has(on) && !isOpen(units.get(on)))) continue
      seen.add(on)
      if (agents.has(on)) continue
      const waits = (graph.meant[on] ?? []).map(wait => wait.on)
      open.push(...waits.filter(wait => wait !== beginnings.get(on)))
    }
    return [...seen]
  }
  const ownWaits = (step: number): number[] => {
    const placed = agents.get(step)
    const phase = placed && graph.phases[placed.phase]?.phase
    const isInTurn = isSequential(phase ?? {})
    const turn = isInTurn && agents.get(step - 1)?.phase === placed?.phase ? [step - 1] : []
    const input = normalPath(placed?.agent.session_context?.input ?? '') ?? ''
    const writers = pipeline.isThere(input) ? [] : (outputs.get(input) ?? [])
    return [
      ...(graph.meant[step] ?? []).map(({ on }) => on),
      ...turn,
      ...writers.filter(on => on !== step),
      ...earlierInQueue(step, groups),
    ]
  }
  return step => {
    const steps = known.get(step) ?? found(step)
    known.set(step, steps)
    return steps
  }
}

/**
 * Maps the end of phases and groups with open agents to their beginning: those agents wait for it themselves, so a step
 * after the end need not.
 */
function beginningsOf({ standing: { graph, units } }: Pipeline): ReadonlyMap<number, number> {
  const isLeft = (step: number) => isOpen(units.get(step))
  return new Map([
    ...graph.phases
      .filter(({ agents }) => [...agents.values()].some(isLeft))
      .map(({ end, begin }) => [end, begin] as const),
    ...graph.groups
      .filter(({ members }) => members.some(isLeft))
      .map(({ end, step }) => [end, step] as const),
  ])
}

/** Returns the agents of the previous queue group. */
function earlierInQueue(step: number, groups: ReadonlyMap<number, number>): number[] {
  const own = groups.get(step)
  if (own === undefined) return []
  const earlier = [...groups].filter(([, group]) => group < own)
  const last = Math.max(...earlier.map(([, group]) => group))
  return earlier.filter(([, group]) => group === last).map(([on]) => on)
}

/** Builds the mission of a pipeline: an envelope and a task for each agent with work left. */
export function planMission(
  pipeline: Pipeline,
  agents: readonly PlannedAgent[],
  parameters: PlanParameters,
  { roles, runners }: Missions,
): PipelinePlan {
  const { value, path } = pipeline
  const { workflow } = value
  const id = idOf(pipeline, parameters)
  const goal = workflow?.name ?? workflow?.description ?? workflow?.id ?? path
  const head = {
    schema_version: 'v1',
    mission_id: id,
    tenant_id: parameters.tenant,
    actor_id: parameters.actor,
    created_at: formatInstant(parameters.now),
    producer: 'waybill',
  }
  const written = agents.flatMap(({ unit }) => agentAt(unit, value)?.session_context?.output ?? [])
  const envelope = {
    ...head,
    schema_name: 'mission_envelope',
    mission_type: PIPELINE,
    origin_surface: 'cli',
    user_goal: goal,
    normalized_goal: goal.split(/\s/).filter(Boolean).join(' ') || path,
    risk_level: 'medium',
    sensitivity_class: 'internal_business',
    ...(parameters.timeBudgetMs !== undefined && { time_budget_ms: parameters.timeBudgetMs }),
    ...(parameters.tokenBudget !== undefined && { token_budget: parameters.tokenBudget }),
    ...(written.length > 0 && { requested_outputs: written }),
    context_refs: {
      orchestration: path,
      installation: parameters.installation,
      worktree: parameters.worktree,
      orchestration_sha256: pipeline.sha256,
      ...(workflow?.id !== undefined && { workflow: workflow.id }),
    },
  }
  const graph = {
    ...head,
    schema_name: 'mission_task_graph',
    tasks: agents.map(planned => taskOf(planned, pipeline)),
  }
  const who = agents.map(({ unit }) => {
    const agent = agentAt(unit, value)
    const own = agent && Object.hasOwn(runners, agent.id) ? agent.id : undefined
    const role =
      agent?.role !== undefined && Object.hasOwn(roles, agent.role) ? agent.role : 'worker'
    return [unit.address, own ?? roles[role]] as const
  })
  return { id, envelope, graph, agents: Object.fromEntries(who.filter(hasAgent)) }
}

function hasAgent(
  entry: readonly [string, string | undefined],
): entry is readonly [string, string] {
  return entry[1] !== undefined
}

/** Derives the id from the file, so that only one of several simultaneous runs submits it. */
function idOf({ path, sha256: digest }: Pipeline, parameters: PlanParameters) {
  const { tenant, installation, worktree, earlier } = parameters
  const hex = sha256(JSON.stringify([tenant, installation, worktree, path, digest, earlier]))
  const parts = [
    hex.slice(0, 8),
    hex.slice(8, 12),
    `8${hex.slice(13, 16)}`,
    `a${hex.slice(17, 20)}`,
  ]
  return [...parts, hex.slice(20, 32)].join('-')
}

function taskOf({ unit, after }: PlannedAgent, { value, path }: Pipeline) {
  const agent = agentAt(unit, value)
  const { input, output } = agent?.session_context ?? {}
  const title = titleOf(unit, value)
  const words = [
    agent?.description ?? title ?? `Do the work of ${agent?.id ?? unit.address}`,
    `You are ${agent?.id ?? unit.address} in ${path}.`,
    ...(input ? [`Read the session context ${input}; 'session' has it too.`] : []),
    ...(output
      ? [`Write your session context to ${output}, or answer with it as one JSON object.`]
      : []),
    ...(agent?.artifact ? [`Write the file ${agent.artifact}.`] : []),
  ]
  const criteria = [
    ...(output ? [`${output} is a session context without errors`] : []),
    ...(agent?.artifact ? [`${agent.artifact} exists`] : []),
  ]
  return {
    task_id: unit.address,
    role_type: 'worker',
    objective: words.join('\n'),
    depends_on: after,
    required_capabilities: [],
    allowed_tools: [],
    required_data_scopes: [],
    success_criteria: criteria.length > 0 ? criteria : ['the result says what was done'],
  }
}
