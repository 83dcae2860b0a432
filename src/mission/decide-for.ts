import {
  agentsOf,
  type MissionEnvelope,
  type MissionTaskGraph,
  type PolicyDecision,
} from '../contracts/index.ts'
import { type DecisionContext, type PolicyAgent, quarantineOf } from '../governance/index.ts'
import type { TaskPlan } from '../store/index.ts'
import { decideScopes } from './tools/decide.ts'

/** What a mission already has when a graph is decided. */
export interface DecidedBefore {
  readonly graphs: readonly MissionTaskGraph[]
  readonly decisions: readonly PolicyDecision[]
}

const NOTHING: DecidedBefore = { graphs: [], decisions: [] }

/** Decides on the tools and data that the tasks of a graph name. */
export async function decideFor(
  envelope: MissionEnvelope,
  graph: MissionTaskGraph,
  plans: readonly TaskPlan[],
  decisionContext: DecisionContext,
  { graphs, decisions }: DecidedBefore = NOTHING,
) {
  const byTask = new Map(plans.map(({ task, agent }) => [task, agent]))
  const kept = await quarantineOf(decisionContext.gateway, new Set(byTask.values()))
  return decideScopes({
    envelope,
    graph,
    agentOf: ({ task_id, role_type }) =>
      policyAgent(byTask.get(task_id) ?? '', role_type, decisionContext),
    policies: decisionContext.policies,
    at: decisionContext.at,
    quarantined: new Set(Object.keys(kept)),
    before: graphs.flatMap(({ tasks }) => tasks),
    allowedBefore: decisions.flatMap(({ decision_type, decision, subject }) =>
      decision_type === 'tool_scope' && decision === 'allow' ? [subject] : [],
    ),
  })
}

/** An agent as policies see it, in its role in a mission. */
export function policyAgent(
  id: string,
  role: string,
  { governanceFiles }: Pick<DecisionContext, 'governanceFiles'>,
): PolicyAgent {
  const { manifest } = governanceFiles
  const agent = 'missing' in manifest ? undefined : agentsOf(manifest.value).find(id)
  // Agents missing from the manifest are refused earlier, and by policies too.
  return { id, type: agent?.type ?? 'domain', version: agent?.version ?? '0.0.0', roles: [role] }
}
