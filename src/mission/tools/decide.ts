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

/** The input of decisions on the tools and data of a task graph. */
export interface Deciding {
  readonly envelope: MissionEnvelope
  readonly graph: MissionTaskGraph
  /** The agent of a task, with its `roles` in the mission. */
  readonly agentOf: (task: Task) => PolicyAgent
  readonly policies: Pick<Policies, 'decideAside'>
  /** Milliseconds since the epoch. */
  readonly at: number
  /** Canonical ids of quarantined agents. */
  readonly quarantined?: ReadonlySet<string>
  /** The tasks of the mission's earlier graphs. */
  readonly before?: readonly Task[]
  /** The tools allowed to any agent for those tasks. */
  readonly allowedBefore?: Iterable<string>
}

/** A tool or data scope of an agent in one of its roles. */
interface Subject {
  readonly kind: Kind
  readonly name: string
  readonly agent: PolicyAgent
  /** All tools of the task, since policies may look at combinations; empty for data. */
  readonly tools: readonly string[]
}

/** A denial for one agent only, because others may use the tool: see `toolScope`. */
const OF_AN_AGENT = 'agent_tool_scope'

/**
 * Decides on every tool and data scope of a task graph, including scopes inherited from earlier tasks, as artifacts of
 * the type `policy_decision`. There is one decision for each tool or scope, agent and role, and for tools also each set
 * of tools. Ids derive from these, so that repeated decisions have the same ids. Data is as sensitive as its mission.
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
    // The contract has no field for the agent.
    const reason = `${agent.id}: ${payload.reason}`
    decided.push({ subject, payload: { ...payload, reason } })
  }
  return decided.map(({ subject: { kind, name }, payload }) =>
    // By its contract, a tool_scope denial applies to every task of the mission.
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

/** The data scopes that reach each agent and role through earlier tasks. */
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
