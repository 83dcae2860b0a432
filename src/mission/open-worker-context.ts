import type { PolicyDecision, PromptPackage } from '../contracts/index.ts'
import { WaybillError } from '../error.ts'
import {
  type DecisionContext,
  type Gateway,
  isMovedAway,
  openDecisionContext,
  otherKeys,
  quarantineOf,
} from '../governance/index.ts'
import { insertToolCall, type Store } from '../store/index.ts'
import type { Config } from '../workspace/index.ts'
import { deliver } from './approvals/deliver.ts'
import { recordDecisions } from './approvals/record.ts'
import { waiveApprovals } from './approvals/waive.ts'
import { type Missions, readMissions } from './config.ts'
import { policyAgent } from './decide-for.ts'
import { examine } from './examine.ts'
import { attendPipelines } from './pipelines/attend.ts'
import type { PipelineKeeper } from './pipelines/keeper.ts'
import { checkArtifacts } from './plan/check.ts'
import { defaultPrompt } from './plan/default-prompts.ts'
import { promptPackage, readPrompt } from './plan/prompts.ts'
import { returnsOf } from './plan/returns.ts'
import { openRules } from './plan/rules.ts'
import type { MissionRecord } from './run/record.ts'
import type { TaskToPrompt, WorkerContext } from './run/worker-context.ts'
import type { Assignment, Outcome, Payload, RunContext, Runner, Task, Tools } from './runner.ts'
import { runnerFor } from './runners/index.ts'
import { templateFolder } from './templates.ts'
import { storeRefusal } from './tools/denials.ts'
import { openTools } from './tools/guard.ts'
import { toolScope } from './tools/scope.ts'

/** The parts of a worker context. */
export interface WorkerContextParts {
  readonly root: string
  readonly config: Config
  readonly store: Store
  readonly gateway: Gateway
  readonly environment: Readonly<Record<string, string | undefined>>
  /** Updates orchestration files; without it, missions made from one run as ordinary missions. */
  readonly pipelines?: PipelineKeeper
}

/** Opens the context of a repository's worker. */
export function openWorkerContext(parts: WorkerContextParts): Omit<WorkerContext, 'worker'> {
  const { root, config, store, gateway, environment } = parts
  const missions = readMissions(config)
  const decisionContext = openDecisionContext(root, config, gateway)
  const runners = new Map<string, Promise<Runner>>()
  const open: Opened = { ...parts, missions, decisionContext }
  const { writebacks = {} } = missions
  const delivering = { store, gateway, writebacks, environment }
  const context: Omit<WorkerContext, 'worker'> = {
    store,
    root,
    orchestrator: missions.orchestrator,
    environment,
    closed: () =>
      config.ledger !== 'postgres' && isMovedAway(root) ? movedAway() : otherKeys(gateway.keys),
    decisionContext,
    run: async (agent, assignment, runContext) =>
      // The agent may have been quarantined while the task waited.
      runContext.continued && (await isKeptOut(agent, gateway))
        ? KEPT_OUT
        : runBy(agent, { assignment, runContext, missions, runners }),
    rules: openRules(root, config),
    returnsOf: role => returnsOf(role as Task['role_type']),
    promptFor: task => promptFor(task, open),
    examine: (answer, about) => examine(answer, about, open),
    waive: async (tx, which) => void (await waiveApprovals(tx, which, gateway)),
    recordDecisions: async tenant => void (await recordDecisions(store, tenant, gateway)),
    deliver: (attempt, signal) => deliver(attempt, delivering, signal),
    toolsFor: (assignment, record, signal) => toolsFor(assignment, record, { open, signal }),
  }
  return parts.pipelines ? attendPipelines(context, parts.pipelines) : context
}

/** The error for an open gateway whose log was moved into PostgreSQL. */
function movedAway(): WaybillError {
  return new WaybillError(
    'conflict',
    'the log of this installation was moved into PostgreSQL: this worker stops and returns its tasks to the queue',
    { hint: 'set ledger: postgres in waybill.yaml, and start the worker again' },
  )
}

/** The parts, with the parsed configuration. */
export interface Opened extends WorkerContextParts {
  readonly missions: Missions
  readonly decisionContext: () => Promise<DecisionContext>
}

const KEPT_OUT: Outcome = {
  is: 'failed',
  code: 'mission/agent-kept-out',
  message: 'the agent was put into quarantine while the task waited',
  mayRetry: false,
}

async function isKeptOut(agent: string, gateway: Gateway): Promise<boolean> {
  return Object.keys(await quarantineOf(gateway, [agent])).length > 0
}

interface Running {
  readonly assignment: Assignment
  readonly runContext: RunContext
  readonly missions: Missions
  readonly runners: Map<string, Promise<Runner>>
}

async function runBy(
  agent: string,
  { assignment, runContext, missions, runners }: Running,
): Promise<Outcome> {
  const config = Object.hasOwn(missions.runners, agent) ? missions.runners[agent] : undefined
  if (!config) {
    const message = `waybill.yaml has no runner for the agent ${agent}`
    return { is: 'failed', code: 'mission/runner-missing', message, mayRetry: false }
  }
  const runner = runners.get(agent) ?? runnerFor(config, missions)
  runners.set(agent, runner)
  return (await runner).run(assignment, runContext)
}

/** Builds the prompt package of a task. Its id derives from the task, so that a retry finds the stored package. */
async function promptFor(
  { assignment, template, record }: TaskToPrompt,
  { root, missions, gateway }: Opened,
): Promise<Payload> {
  const { task, mission, agent, rules } = assignment
  const found =
    template === null
      ? defaultPrompt(task.role_type)
      : await readPrompt(templateFolder(root, missions), template)
  const whose = { mission: mission.mission_id, agent, decisions: decisionsOf(record) }
  const tools = toolScope({ ...whose, task, prompt: null })
  // Read the clock once: it may move backwards.
  const now = gateway.time()
  const made: PromptPackage = promptPackage(found, task, mission, tools, now, {
    package: `pkg_${task.task_id}`,
    producer: missions.orchestrator,
    rules,
  })
  const { envelope, graphs, decisions } = record
  const stored = [envelope, ...graphs, ...decisions]
  const [checked] = await checkArtifacts([made], stored, { now })
  const fault = checked?.diagnostics.find(({ severity }) => severity === 'error')
  if (checked?.accepted) return made
  throw new WaybillError(
    'configuration',
    `the prompt package of the task is invalid: ${fault?.message}`,
    {
      hint: 'check its prompt template',
    },
  )
}

function decisionsOf({ decisions }: MissionRecord): readonly PolicyDecision[] {
  return decisions as unknown as readonly PolicyDecision[]
}

/** The guarded tools of an attempt; undefined when its scope is empty. */
function toolsFor(
  assignment: Assignment,
  record: MissionRecord,
  { open, signal }: { readonly open: Opened; readonly signal: AbortSignal },
): Promise<Tools | undefined> | undefined {
  const { task, prompt, agent, mission } = assignment
  const whose = { mission: mission.mission_id, agent, decisions: decisionsOf(record) }
  const scope = toolScope({ ...whose, task, prompt })
  return scope.length === 0 ? undefined : guarded(assignment, scope, { open, signal })
}

async function guarded(
  { mission, task, agent, attempt, pass }: Assignment,
  scope: readonly string[],
  { open, signal }: { readonly open: Opened; readonly signal: AbortSignal },
): Promise<Tools> {
  const { missions, root, environment, gateway, store } = open
  const decisionContext = await open.decisionContext()
  return openTools({
    missions,
    scope,
    reach: { pass, scopes: task.required_data_scopes },
    agent: policyAgent(agent, task.role_type, decisionContext),
    mission: { id: mission.mission_id, risk: mission.risk_level },
    task: task.task_id,
    attempt,
    policies: decisionContext.policies,
    quarantined: () => isKeptOut(agent, gateway),
    root,
    environment,
    trace: call =>
      store.tenant(mission.tenant_id, async tx => {
        await insertToolCall(tx, call)
        // Tool names invented by an agent get no policy decision.
        if (scope.includes(call.tool)) await storeRefusal(tx, call, gateway.time())
      }),
    signal,
  })
}
