import { relative, sep } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { missionCommand, quote, shellWord } from '../contract/index.ts'
import { WaybillError } from '../error.ts'
import { prepareMission, readMissions, submitMission } from '../mission/index.ts'
import { agentsIn, unitsOf } from '../session/index.ts'
import { listPipelineMissions, type PipelineMission } from '../store/index.ts'
import { loadConfig, realPath, worktreeOf } from '../workspace/index.ts'
import { ASKED_BY, askedBy } from './mission/asking.ts'
import { followMission } from './mission/following.ts'
import {
  CONCURRENCY_INPUT,
  numberIn,
  rangeOf,
  TIME_BUDGET_INPUT,
  TOKEN_BUDGET_INPUT,
} from './mission/numbers.ts'
import { TENANT_INPUT, tenantOf } from './mission/open.ts'
import type { MissionStatusParts } from './mission/output.ts'
import { partsOf } from './mission/parts.ts'
import { statusOf } from './mission/status.ts'
import { CONCURRENCY, STAYS, type Works, withWorker, withWorks } from './mission/working.ts'
import { type App, defineOperation, type TypeOf } from './operation.ts'
import { FILE } from './pipeline/find.ts'
import { followMissionIn, passDone } from './pipeline/follow.ts'
import { openPipeline, type Pipeline } from './pipeline/open.ts'
import { openPatiently } from './pipeline/open-patiently.ts'
import { openAgents, planMission } from './pipeline/plan.ts'
import type { PipelineRunOutput } from './pipeline-run/output.ts'

const input = {
  type: 'object',
  properties: {
    file: FILE,
    by: ASKED_BY,
    timeBudget: {
      type: 'integer',
      placeholder: 'seconds',
      description: `Time budget in seconds, ${rangeOf(TIME_BUDGET_INPUT)} (default: no limit).`,
    },
    tokenBudget: {
      type: 'integer',
      placeholder: 'tokens',
      description: `Token budget of all agents, ${rangeOf(TOKEN_BUDGET_INPUT)} (default: no limit).`,
    },
    tenant: TENANT_INPUT,
    concurrency: {
      type: 'integer',
      placeholder: 'number',
      description: `How many agents run at once, ${rangeOf(CONCURRENCY_INPUT)} (default: ${CONCURRENCY}).`,
    },
  },
} as const

/** Runs the agents of an orchestration file as a mission and updates the file. */
export default defineOperation({
  name: 'pipeline run',
  summary: 'Run the agents of a pipeline as a mission and update its file',
  description:
    'Each agent that is not COMPLETE becomes a task named by its address. IN_PROGRESS and FAILED agents start again; a ' +
    'running mission of the file is continued, since a tenant runs only one mission per file. Phases, barriers, the queue ' +
    'and depends_on set the order; a barrier is passed when everything before it is done and its files exist. An agent ' +
    'gets the session context that it reads, and is done when the one that it writes passes every rule: it writes the ' +
    'file or answers with the context. Statuses, times and counts are set as by pipeline set; changes that a person makes ' +
    'meanwhile are kept. Exits with 1 unless everything is complete.\n\n' +
    'Defaults: the mission type is pipeline, the goal is the name of the workflow (or its description, id or path), risk ' +
    'is medium and sensitivity internal_business; context_refs names the file, digest and workflow. The runner of an agent ' +
    'is its own entry in missions.runners, or that of its role, or that of worker. Agents cannot run pipelines.',
  examples: [
    { command: 'waybill pipeline run', does: 'run the open agents of the pipeline' },
    {
      command: 'waybill pipeline run --file work/ORCHESTRATION.yaml --concurrency 2',
      does: 'run another file, two agents at a time',
    },
  ],
  actor: 'human',
  effect: 'execute',
  input,
  run,
  parts: (given, app, format) => (format === 'text' ? shown(given, app) : undefined),
  failed: ({ complete }) => !complete,
  failedPart: part => !(part as PipelineRunOutput | undefined)?.complete,
})

type Input = TypeOf<typeof input>
type Tell = (part: PipelineRunOutput) => void

const FOLLOWING = { ticking: true, isKnown: true }
const NOTHING = { mission: null, faults: [], status: null, continued: false }

async function run(given: Input, app: App): Promise<PipelineRunOutput> {
  let last: PipelineRunOutput | undefined
  for await (const part of shown(given, app)) last = part
  // Cancelled before the first report: return the state of the file.
  return last ?? { ...headOf(await openPipeline(given.file, app)), ...NOTHING }
}

/** Yields the pipeline each time its mission changes. */
function shown(given: Input, app: App): AsyncGenerator<PipelineRunOutput> {
  return partsOf(app, tell => play(given, app, tell))
}

async function play(given: Input, app: App, tell: Tell): Promise<void> {
  numberIn(CONCURRENCY_INPUT, given.concurrency)
  numberIn(TIME_BUDGET_INPUT, given.timeBudget)
  numberIn(TOKEN_BUDGET_INPUT, given.tokenBudget)
  if (given.by !== undefined) askedBy(given.by, app)
  const pipeline = await openPipeline(given.file, app)
  refuseLink(pipeline, app)
  // Fail closed: an error may hide the order of the document.
  if (!pipeline.report.accepted || isComplete(pipeline))
    return tell({ ...headOf(pipeline), ...NOTHING })
  readMissions(await loadConfig(app.root))
  await withWorks(app, async works => {
    const began = await begin(given, pipeline, works)
    if ('part' in began) return tell(began.part)
    const which = { tenant: tenantOf(given), mission: began.mission }
    const state = () =>
      works.store.tenant(which.tenant, tx => statusOf(tx, which.tenant, which.mission))
    const say = async (status: MissionStatusParts) =>
      tell({
        ...headOf(await openPatiently(pipeline.file, timed(works))),
        faults: [],
        status,
        ...began,
      })
    // Report the mission even when the caller leaves before the worker starts.
    const begun = await state()
    let last = begun
    if (begun.endedAt === null) await say(begun)
    const reportEnd = async () => {
      last = await state()
      await followMissionIn({ ...which, file: pipeline.path }, works.store, timed(works))
      await say(last)
    }
    try {
      await withWorker(works, given, async running => {
        // The end is reported after the file is updated too.
        for await (const status of followMission(works.quietStore, which, running.app, FOLLOWING)) {
          last = status
          if (status.endedAt === null) await say(status)
        }
      })
      await unlessAborted(reportEnd(), app)
    } finally {
      if (last.endedAt === null) app.tell?.(STAYS)
    }
  })
}

/** Refuses links: two paths to one file would allow two missions on it. */
function refuseLink({ file, path }: Pipeline, { root }: App): void {
  const real = relative(realPath(root), realPath(file)).split(sep).join('/')
  if (real === path) return
  throw new WaybillError('usage', `${quote(path)} is a link to ${quote(real)}`, {
    hint: `use that path: waybill pipeline run --file ${shellWord(real)}`,
  })
}

/** How long a cancelled run waits for its last status, in milliseconds; the database may be away. */
const FINAL_STATUS_WAIT = 3000

/** Waits for the end; after a cancel only for a short time, ignoring errors. */
async function unlessAborted(end: Promise<void>, { signal }: App): Promise<void> {
  if (!signal?.aborted) return end
  await Promise.race([end.catch(() => {}), pause(FINAL_STATUS_WAIT)])
}

function timed({ app, gateway }: Works): App {
  return { ...app, now: gateway.time() }
}

type Began =
  | { readonly mission: string; readonly continued: boolean }
  | { readonly part: PipelineRunOutput }

/** Continues the mission of the file, or submits one. */
async function begin(given: Input, first: Pipeline, works: Works): Promise<Began> {
  const { app, store, missions, decisionContext } = works
  const tenant = tenantOf(given)
  const { path: file } = first
  const { origin: installation } = works.gateway
  const worktree = worktreeOf(app.root)
  const earlier = await missionsOf()
  const active = activeIn(earlier)
  const latest = active ?? earlier[0]
  // A killed run may have left the file outdated; a mission of another workflow says nothing about it.
  if (latest?.workflow === workflowOf(first))
    await followMissionIn({ tenant, mission: latest.mission, file }, store, timed(works))
  else await passDone(first.file, timed(works))
  if (active) return continueMission(active, first, tenant)
  const pipeline = await openPipeline(first.file, timed(works))
  const { agents } = openAgents(pipeline)
  if (agents.length === 0) return { part: { ...headOf(pipeline), ...NOTHING } }
  const plan = planMission(
    pipeline,
    agents,
    {
      tenant,
      installation,
      worktree,
      actor: askedBy(given.by, app),
      now: works.gateway.time(),
      earlier: earlier.length,
      timeBudgetMs: given.timeBudget === undefined ? undefined : given.timeBudget * 1000,
      tokenBudget: given.tokenBudget,
    },
    missions,
  )
  const prepared = await prepareMission(plan, { root: app.root, missions, decisionContext })
  if ('faults' in prepared) {
    const faults = prepared.faults.map(({ code, path, message, hint, artifact }) => ({
      code,
      path,
      message,
      ...(hint !== undefined && { hint }),
      artifact,
    }))
    return { part: { ...headOf(pipeline), ...NOTHING, faults } }
  }
  try {
    await submitMission(store, prepared.submission)
    return { mission: plan.id, continued: false }
  } catch (error) {
    // Another run has submitted a mission for the file at the same moment.
    if (!(error instanceof WaybillError) || error.code !== 'conflict') throw error
    const begun = await missionsOf()
    const other = activeIn(begun) ?? begun.find(({ mission }) => mission === plan.id)
    if (!other) throw error
    return continueMission(other, first, tenant)
  }

  function missionsOf(): Promise<readonly PipelineMission[]> {
    return store.tenant(tenant, tx => listPipelineMissions(tx, { file, installation, worktree }))
  }
}

/** Returns the running mission of a file, or else a paused one. */
function activeIn(missions: readonly PipelineMission[]): PipelineMission | undefined {
  const inState = (wanted: string) => missions.find(({ state }) => state === wanted)
  return inState('running') ?? inState('paused')
}

/** Continues a running mission; two may not update one file. */
function continueMission(
  { mission, state, workflow }: PipelineMission,
  first: Pipeline,
  tenant: string,
): Began {
  if (state === 'paused')
    throw new WaybillError('conflict', `the mission ${mission} of this file is paused`, {
      hint: `resume it: ${missionCommand('resume', { tenant, mission })}`,
    })
  if (workflow === workflowOf(first)) return { mission, continued: true }
  throw new WaybillError(
    'conflict',
    `the mission ${mission} runs this file with its earlier workflow ${quote(workflow)}`,
    {
      hint: `wait until it ends, or cancel it: ${missionCommand('cancel', { tenant, mission })}`,
    },
  )
}

function workflowOf({ value }: Pipeline): string | null {
  return value.workflow?.id ?? null
}

function isComplete({ report, standing }: Pipeline): boolean {
  const units = unitsOf(standing)
  return report.accepted && units.length > 0 && units.every(({ state }) => state === 'done')
}

function headOf(pipeline: Pipeline) {
  const { path, sha256, report, standing, show } = pipeline
  const units = unitsOf(standing)
  const agents = agentsIn(units)
  // List a phase only when something other than its agents blocks it.
  const left = units.filter(
    unit => unit.state !== 'done' && !agents.get(unit)?.some(({ state }) => state !== 'done'),
  )
  return show({
    file: path,
    sha256,
    accepted: report.accepted,
    complete: isComplete(pipeline),
    left: left.map(({ kind, address, state, reasons }) => ({ kind, address, state, reasons })),
    diagnostics: report.diagnostics,
  })
}
