import type { MissionEnvelope, MissionTaskGraph } from '../../contracts/index.ts'
import {
  type DecisionArtifact,
  decisionArtifact,
  type Policies,
  type PolicyAgent,
  type PolicyOutcome,
} from '../../governance/index.ts'
import type { Task } from '../runner.ts'
import { dataReaching } from './data.ts'
import { decisionId, type Kind, keyOf, toolsOf } from './decision-id.ts'

/** What the tools and the data of a task graph are decided by. */
export interface Deciding {
  readonly envelope: MissionEnvelope
  readonly graph: MissionTaskGraph
  /** Who does a task; its `roles` are the parts that it plays in the mission. */
  readonly agentOf: (task: Task) => PolicyAgent
  readonly policies: Pick<Policies, 'decideAside'>
  /** In milliseconds since the epoch. */
  readonly at: number
  /** Canonical ids of agents that are kept out until a person has reconciled their prompts. */
  readonly quarantined?: ReadonlySet<string>
  /** The tasks of the graphs that the mission has already. */
  readonly before?: readonly Task[]
  /** The tools that were allowed for somebody in one of those. */
  readonly allowedBefore?: Iterable<string>
}

/** One thing that an agent is to have, in one part of a mission, beside the same tools. */
interface Subject {
  readonly kind: Kind
  readonly name: string
  readonly agent: PolicyAgent
  /** The tools of the tasks that name it: a policy may look at what is allowed together. None for data. */
  readonly tools: readonly string[]
}

/** A denial that does not hold for the whole mission, because others may use the tool: see `toolScope`. */
const OF_AN_AGENT = 'agent_tool_scope'

/**
 * Decides on every tool that a task graph names, and on every data scope that a task names or is handed on by those before
 * it, as artifacts of the type `policy_decision`.
 *
 * There is one for each thing and agent, in each of its roles, and for a tool for each set of tools that it is among; its id
 * is made of those, so that deciding twice gives the same ids. The data of a mission counts as being as sensitive as the
 * mission.
 */
export async function decideScopes(deciding: Deciding): Promise<DecisionArtifact[]> {
  const { envelope, at } = deciding
  const mission = envelope.mission_id
  const decided: { subject: Subject; payload: DecisionArtifact }[] = []
  const allowed = new Set(deciding.allowedBefore)
  for (const subject of subjectsOf(deciding)) {
    const { kind, name, agent } = subject
    const outcome = await ask(subject, deciding)
    if (kind === 'tool' && outcome.decision === 'allow') allowed.add(name)
    const about = { decisionId: decisionId(mission, subject), subject: name }
    const payload = decisionArtifact(outcome, { ...about, mission: { id: mission }, at })
    // The contract has no place for the agent, and one tool may be decided on for several.
    const reason = `${agent.id}: ${payload.reason}`
    decided.push({ subject, payload: { ...payload, reason } })
  }
  return decided.map(({ subject: { kind, name }, payload }) =>
    // By its contract a denial of a tool scope is one for every task of the mission.
    kind === 'tool' && payload.decision === 'deny' && allowed.has(name)
      ? { ...payload, decision_type: OF_AN_AGENT }
      : payload,
  )
}

function subjectsOf(deciding: Deciding): Iterable<Subject> {
  const { graph, agentOf } = deciding
  const subjects = new Map<string, Subject>()
  const add = (subject: Subject) => {
    const key = keyOf(subject)
    if (!subjects.has(key)) subjects.set(key, subject)
  }
  for (const task of graph.tasks) {
    const agent = agentOf(task)
    for (const name of task.allowed_tools)
      add({ kind: 'tool', name, agent, tools: toolsOf(task.allowed_tools) })
    for (const name of task.required_data_scopes) add({ kind: 'data', name, agent, tools: [] })
  }
  for (const { agent, scopes } of inherited(deciding))
    for (const name of scopes) add({ kind: 'data', name, agent, tools: [] })
  return subjects.values()
}

/** The data scopes that come to each agent, in each of its roles, with what tasks before its own return. */
function inherited({ graph, agentOf, before = [] }: Deciding) {
  const reached = dataReaching([...before, ...graph.tasks])
  const byAgent = new Map<string, { agent: PolicyAgent; mask: bigint }>()
  for (const task of graph.tasks) {
    const mask = reached.masks.get(task.task_id) ?? 0n
    if (mask === 0n) continue
    const agent = agentOf(task)
    const key = JSON.stringify([agent.id, agent.roles])
    byAgent.set(key, { agent, mask: (byAgent.get(key)?.mask ?? 0n) | mask })
  }
  return [...byAgent.values()].map(({ agent, mask }) => ({ agent, scopes: reached.namesIn(mask) }))
}

function ask(
  { kind, name, agent, tools }: Subject,
  { envelope, policies, quarantined }: Deciding,
): Promise<PolicyOutcome> {
  const { mission_id, risk_level, sensitivity_class } = envelope
  const facts = {
    quarantined: quarantined?.has(agent.id) ?? false,
    mission: { id: mission_id, risk: risk_level },
  }
  return kind === 'tool'
    ? policies.decideAside({
        action: 'useTool',
        agent,
        tool: name,
        facts: { ...facts, allowedTools: tools },
      })
    : policies.decideAside({
        action: 'readData',
        agent,
        resource: { id: name, sensitivity: sensitivity_class },
        facts: { ...facts, clearance: sensitivity_class },
      })
}
