import type { MissionEnvelope, MissionTaskGraph } from '../../contracts/index.ts'
import { WaybillError } from '../../error.ts'
import {
  type DecisionArtifact,
  decisionArtifact,
  type Policies,
  type PolicyAgent,
  type PolicyOutcome,
} from '../../governance/index.ts'
import { sha256 } from '../../workspace/index.ts'
import type { Task } from '../runner.ts'

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
}

type Kind = 'tool' | 'data'

/** One thing that an agent is to have in at least one task. */
interface Subject {
  readonly kind: Kind
  readonly name: string
  readonly agent: PolicyAgent
  /** The tools of each of its tasks that name the thing: a policy may look at what is allowed together. */
  readonly beside: Map<string, readonly string[]>
}

/**
 * Decides on every tool and every data scope that a task graph names, as artifacts of the type `policy_decision`.
 *
 * There is one for each thing and agent, in the order of the graph; its id is made of mission, agent and thing, so that
 * deciding twice gives the same ids. The data of a mission counts as being as sensitive as the mission.
 */
export async function decideScopes(deciding: Deciding): Promise<DecisionArtifact[]> {
  const { envelope, at } = deciding
  const payloads: DecisionArtifact[] = []
  for (const subject of subjectsOf(deciding)) {
    const outcome = await outcomeOf(subject, deciding)
    const payload = decisionArtifact(outcome, {
      decisionId: idOf(subject, envelope.mission_id),
      subject: subject.name,
      mission: { id: envelope.mission_id },
      at,
    })
    // The contract has no place for the agent, and one tool may be decided on for several.
    payloads.push({ ...payload, reason: `${subject.agent.id}: ${payload.reason}` })
  }
  return payloads
}

function subjectsOf({ graph, agentOf }: Deciding): Iterable<Subject> {
  const subjects = new Map<string, Subject>()
  const add = (kind: Kind, name: string, agent: PolicyAgent, task: Task) => {
    const key = JSON.stringify([kind, name, agent.id])
    const subject = subjects.get(key) ?? { kind, name, agent, beside: new Map() }
    const tools = [...new Set(task.allowed_tools)].sort()
    // Data is asked for once: no policy on it sees the tools.
    subject.beside.set(kind === 'data' ? '' : JSON.stringify(tools), tools)
    subjects.set(key, subject)
  }
  for (const task of graph.tasks) {
    const agent = agentOf(task)
    for (const name of task.allowed_tools) add('tool', name, agent, task)
    for (const name of task.required_data_scopes) add('data', name, agent, task)
  }
  return subjects.values()
}

/** What is refused beside the tools of one task is refused: deny wins. */
async function outcomeOf(subject: Subject, deciding: Deciding): Promise<PolicyOutcome> {
  const outcomes: PolicyOutcome[] = []
  for (const allowedTools of subject.beside.values())
    outcomes.push(await ask(subject, allowedTools, deciding))
  const [first] = outcomes
  const outcome = outcomes.find(({ decision }) => decision !== 'allow') ?? first
  if (!outcome) throw new WaybillError('internal', 'a subject without a task was decided on')
  return outcome
}

function ask(
  { kind, name, agent }: Subject,
  allowedTools: readonly string[],
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
        facts: { ...facts, allowedTools },
      })
    : policies.decideAside({
        action: 'readData',
        agent,
        resource: { id: name, sensitivity: sensitivity_class },
        facts: { ...facts, clearance: sensitivity_class },
      })
}

function idOf({ kind, name, agent }: Subject, mission: string): string {
  return `pol_${kind}_${sha256(JSON.stringify([mission, kind, name, agent.id])).slice(0, 32)}`
}
