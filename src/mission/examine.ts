import { listed, quote } from '../contract/index.ts'
import type { MissionEnvelope, MissionTaskGraph } from '../contracts/index.ts'
import {
  type ArtifactName,
  artifactNames,
  listArtifacts,
  listToolRefs,
  readArtifact,
  type Store,
  type TaskPlan,
} from '../store/index.ts'
import { decideWaived } from './approvals/policy.ts'
import type { Missions } from './config.ts'
import { type DecidedBefore, decideFor } from './decide-for.ts'
import type { Opened } from './open-worker-context.ts'
import { artifactsIn } from './plan/answer.ts'
import { RETURNED, sortOf } from './plan/artifacts.ts'
import { checkArtifacts } from './plan/check.ts'
import { plansFor } from './plan/draft.ts'
import { servedBy } from './plan/served.ts'
import { readTemplate, type Template } from './plan/template.ts'
import type { Examination, Examined, Fault } from './run/worker-context.ts'
import type { Assignment, Payload, Task } from './runner.ts'
import { templateFolder } from './templates.ts'

/** Converts an answer to artifacts and checks them against the mission. */
export async function examine(
  answer: unknown,
  about: Examined,
  open: Opened,
): Promise<Examination> {
  const { assignment, record } = about
  const now = open.gateway.time()
  const serves = servedBy(assignment.task, record.graphs)
  // The gateway's time may be ahead of the system clock: work that just started must not count as late.
  const clock = Math.min(now, about.cameAt)
  const taken = artifactsIn(answer, { ...assignment, now, clock, ...(serves && { serves }) })
  if ('faults' in taken) return { artifacts: [], plans: [], faults: taken.faults }
  const isTimed = assignment.task.role_type === 'worker'
  const late = isTimed ? lateFault(assignment.pass, clock) : undefined
  if (late) return { artifacts: [], plans: [], faults: [late], isFinal: true }
  const plan = await planned(taken.artifacts, about, { open, now })
  const { envelope } = record
  const from = { envelope, agent: assignment.agent, role: assignment.task.role_type, at: now }
  const waived = await decideWaived(taken.artifacts, from, open.gateway)
  const artifacts = [...taken.artifacts, ...plan.decisions, ...waived]
  const stored = await storedFor(about, taken.artifacts, open.store)
  const checked = await checkArtifacts(artifacts, stored, { now })
  const faults = checked
    .flatMap(({ accepted, diagnostics }) => (accepted ? [] : diagnostics))
    .filter(({ severity }) => severity === 'error')
  const untraced = await untracedRefs(taken.artifacts, about, open.store)
  return { artifacts, plans: plan.plans, faults: [...faults, ...plan.faults, ...untraced] }
}

/** The fault of an answer that arrives after its pass expired, whatever time the agent wrote into it. */
function lateFault(pass: Assignment['pass'], clock: number): Fault | undefined {
  if (!pass || clock <= Date.parse(pass.expires_at)) return undefined
  return {
    code: 'mission/pass-expired',
    path: '',
    message: `the answer arrived after the pass ${quote(pass.pass_id)} expired (${pass.expires_at})`,
    hint: 'let the librarian issue passes that outlast the work',
  }
}

/** Faults for tool calls in an answer that are not in the trace. */
async function untracedRefs(
  artifacts: readonly Payload[],
  { assignment: { mission, task } }: Examined,
  store: Store,
): Promise<Fault[]> {
  const named = artifacts.flatMap(({ tool_trace_refs: refs }) => (Array.isArray(refs) ? refs : []))
  if (named.length === 0) return []
  const traced = new Set<unknown>(
    await store.tenant(mission.tenant_id, tx => listToolRefs(tx, mission.mission_id, task.task_id)),
  )
  return [...new Set(named)]
    .filter(ref => !traced.has(ref))
    .map(ref => ({
      code: 'mission/tool-call-unknown',
      path: '/tool_trace_refs',
      message: `the task made no tool call ${quote(ref)}`,
      hint: 'use only refs that came with tool results',
    }))
}

/** Plans the tasks of a returned graph, and decides on the tools and data that they name. */
async function planned(
  artifacts: readonly Payload[],
  { record, template }: Examined,
  {
    open: { root, missions, decisionContext },
    now,
  }: { readonly open: Opened; readonly now: number },
): Promise<{
  readonly plans: readonly TaskPlan[]
  readonly decisions: readonly Payload[]
  readonly faults: readonly Fault[]
}> {
  const graphs = artifacts.filter(isGraph) as unknown as readonly MissionTaskGraph[]
  const [first] = graphs
  if (!first) return NO_PLAN
  const whole =
    template === null ? NONE : await readTemplate(templateFolder(root, missions), template)
  const faults = graphs.flatMap(({ tasks }) =>
    tasks.flatMap((task, i) => unassignedFault(task, i, whole, missions.roles)),
  )
  if (faults.length > 0) return { ...NO_PLAN, faults }
  // Tasks of several graphs may depend on each other: decide on them as one graph.
  const graph = { ...first, tasks: graphs.flatMap(({ tasks }) => tasks) }
  const plans = plansFor(whole, graph.tasks, missions.roles)
  const envelope = record.envelope as unknown as MissionEnvelope
  const before = record as unknown as DecidedBefore
  const all = await decideFor(
    envelope,
    graph,
    plans,
    { ...(await decisionContext()), at: now },
    before,
  )
  // Decisions for earlier graphs stay.
  const known = new Set(before.decisions.map(({ decision_id }) => decision_id))
  const decisions = all.filter(({ decision_id }) => !known.has(decision_id))
  return { plans, decisions: decisions as unknown as Payload[], faults }
}

const NO_PLAN = { plans: [], decisions: [], faults: [] }

/** The fault of a task without an agent: the planner may choose another role. */
function unassignedFault(
  { task_id, role_type }: Task,
  at: number,
  { agents }: Pick<Template, 'agents'>,
  roles: Missions['roles'],
): Fault[] {
  if (Object.hasOwn(agents, task_id) || Object.hasOwn(roles, role_type)) return []
  return [
    {
      code: 'mission/role-unfilled',
      path: `/tasks/${at}/role_type`,
      message: `no agent runs the task ${quote(task_id)}: none has the role ${quote(role_type)}`,
      hint: `plan it for the role ${listed(Object.keys(roles), 'or')}, or give an agent this role in waybill.yaml`,
    },
  ]
}

const NONE = { agents: {}, prompts: {}, retries: { limit: 2, first: 1_000, longest: 60_000 } }

/** Whether a graph is complete enough to decide on; the checks report its other faults. */
function isGraph({ schema_name, tasks }: Payload): boolean {
  return (
    schema_name === 'mission_task_graph' &&
    Array.isArray(tasks) &&
    tasks.every(
      task =>
        typeof task?.task_id === 'string' &&
        typeof task.role_type === 'string' &&
        Object.hasOwn(RETURNED, task.role_type) &&
        [task.allowed_tools, task.required_data_scopes, task.depends_on].every(areNames),
    )
  )
}

function areNames(list: unknown): boolean {
  return Array.isArray(list) && list.every(name => typeof name === 'string')
}

/** Roles whose answers are checked against the whole mission instead of their inputs. */
const LOOK_AT_ALL: ReadonlySet<string> = new Set([
  'planner',
  'prompt_master',
  'librarian',
  'aggregator',
  'reviewer',
])

async function storedFor(
  { assignment, record, isAgain }: Examined,
  artifacts: readonly Payload[],
  store: Store,
): Promise<readonly Payload[]> {
  const { prompt, pass, inputs, mission, task } = assignment
  if (!LOOK_AT_ALL.has(task.role_type)) {
    const attached = [prompt, pass].flatMap(one => (one ? [one as unknown as Payload] : []))
    const fixed = [record.envelope, ...record.graphs, ...record.decisions, ...record.proposals]
    const others = isAgain ? await namesakes(artifacts, mission, store) : []
    return [...new Set([...fixed, ...attached, ...inputs, ...others])]
  }
  return store.tenant(mission.tenant_id, async tx => {
    const all: Payload[] = []
    for (const name of artifactNames)
      for (const { payload } of await listArtifacts(tx, name, mission.mission_id))
        if (payload) all.push(payload)
    return all
  })
}

/** Stored artifacts with the same ids as new ones. */
async function namesakes(
  artifacts: readonly Payload[],
  { tenant_id, mission_id }: MissionEnvelope,
  store: Store,
): Promise<readonly Payload[]> {
  return store.tenant(tenant_id, async tx => {
    const found: Payload[] = []
    for (const artifact of artifacts) {
      const { schema_name: name } = artifact
      const key = sortOf(name)?.idKey
      if (key === undefined) continue
      const there = await readArtifact(tx, name as ArtifactName, mission_id, String(artifact[key]))
      if (there?.payload) found.push(there.payload)
    }
    return found
  })
}
