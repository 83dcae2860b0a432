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
import { besideWorker, CONCURRENCY, STAYS, type Works, withWorks } from './mission/working.ts'
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
      description: `How long it may take, ${rangeOf(TIME_BUDGET_INPUT)}; without limit when absent.`,
    },
    tokenBudget: {
      type: 'integer',
      placeholder: 'tokens',
      description: `How many tokens its agents may use, ${rangeOf(TOKEN_BUDGET_INPUT)}; without limit when absent.`,
    },
    tenant: TENANT_INPUT,
    concurrency: {
      type: 'integer',
      placeholder: 'number',
      description: `How many agents work at once, ${rangeOf(CONCURRENCY_INPUT)} (default: ${CONCURRENCY}).`,
    },
  },
} as const

/** Runs the agents of an orchestration file as a mission, and keeps the file true. */
export default defineOperation({
  name: 'pipeline run',
  summary: 'Run the agents of a pipeline as a mission, and keep the file true',
  description:
    'Each agent that is not COMPLETE becomes a task named by its address; those that are IN_PROGRESS or FAILED start ' +
    'again, and a mission of the file that is under way is gone on with: two of a tenant never work on one file. Phases, barriers, the queue and depends_on say ' +
    'what comes first; barriers are passed when everything before them is done and their files are there. An agent is ' +
    'given the session context that it reads, and is done when the one that it writes has no error under any rule: it ' +
    'writes the file, or answers with the context. Statuses, times and figures are set as pipeline set does; what a ' +
    'person sets meanwhile stays.\n\n' +
    'What an orchestration lacks is derived: the mission type is pipeline, the goal is the name of the workflow (else its ' +
    'description, its id, or the path), risk is medium and sensitivity internal_business; the envelope names file, digest and ' +
    'workflow under context_refs. An agent is run by its own entry in missions.runners, else by whoever plays its role, ' +
    'else by the worker. Agents may not run pipelines themselves: workers that start workers are refused.',
  examples: [
    { command: 'waybill pipeline run', does: 'run what is left of the pipeline' },
    {
      command: 'waybill pipeline run --file work/ORCHESTRATION.yaml --concurrency 2',
      does: 'run another, two agents at a time',
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

const TICKING = { ticking: true }
const NOTHING = { mission: null, faults: [], status: null, continued: false }

async function run(given: Input, app: App): Promise<PipelineRunOutput> {
  let last: PipelineRunOutput | undefined
  for await (const part of shown(given, app)) last = part
  // Who leaves before anything was told is told how the file is.
  return last ?? { ...headOf(await openPipeline(given.file, app)), ...NOTHING }
}

/** The pipeline each time that its mission has come further. */
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
  // Fail closed: what an error of the document makes of its order is not known.
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
    // Who leaves before the worker has begun is told of the mission all the same: it stays.
    const begun = await state()
    let last = begun
    if (begun.endedAt === null) await say(begun)
    await besideWorker(works, given, async beside => {
      // Its end is told once the file says so as well.
      for await (const status of followMission(works.untold, which, beside.app, TICKING)) {
        last = status
        if (status.endedAt === null) await say(status)
      }
    })
    const told = async () => {
      last = await state()
      await followMissionIn({ ...which, file: pipeline.path }, works.store, timed(works))
      await say(last)
    }
    await unlessLeft(told(), app)
    if (app.signal?.aborted && last.endedAt === null) app.tell?.(STAYS)
  })
}

/** By two paths to one file two missions would work on it, each taking it for its own. */
function refuseLink({ file, path }: Pipeline, { root }: App): void {
  const real = relative(realPath(root), realPath(file)).split(sep).join('/')
  if (real === path) return
  throw new WaybillError('usage', `${quote(path)} is a link to ${quote(real)}`, {
    hint: `run that: waybill pipeline run --file ${shellWord(real)}`,
  })
}

/** For how long somebody who leaves waits for the last word of a database that may be away, in milliseconds. */
const LAST_WORD = 3000

/** Waits for the end of something; of somebody who leaves, not for ever, and whatever comes of it. */
async function unlessLeft(end: Promise<void>, { signal }: App): Promise<void> {
  if (!signal?.aborted) return end
  await Promise.race([end.catch(() => {}), pause(LAST_WORD)])
}

function timed({ app, gateway }: Works): App {
  return { ...app, now: gateway.time() }
}

type Began =
  | { readonly mission: string; readonly continued: boolean }
  | { readonly part: PipelineRunOutput }

/** Goes on with the mission that the file has, or begins one. */
async function begin(given: Input, first: Pipeline, works: Works): Promise<Began> {
  const { app, store, missions, decisionContext } = works
  const tenant = tenantOf(given)
  const { path: file } = first
  const { origin: installation } = works.gateway
  const worktree = worktreeOf(app.root)
  const earlier = await missionsOf()
  const active = activeIn(earlier)
  const latest = active ?? earlier[0]
  // Whoever was killed may have left the file behind what the database says; of another workflow it says nothing.
  if (latest?.workflow === workflowOf(first))
    await followMissionIn({ tenant, mission: latest.mission, file }, store, timed(works))
  else await passDone(first.file, timed(works))
  if (active) return goOnWith(active, first, tenant)
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
    // Somebody else has begun with the same file at the same moment.
    if (!(error instanceof WaybillError) || error.code !== 'conflict') throw error
    const begun = await missionsOf()
    const other = activeIn(begun) ?? begun.find(({ mission }) => mission === plan.id)
    if (!other) throw error
    return goOnWith(other, first, tenant)
  }

  function missionsOf(): Promise<readonly PipelineMission[]> {
    return store.tenant(tenant, tx => listPipelineMissions(tx, { file, installation, worktree }))
  }
}

/** The mission that works on a file, else one that is paused. */
function activeIn(missions: readonly PipelineMission[]): PipelineMission | undefined {
  const inState = (wanted: string) => missions.find(({ state }) => state === wanted)
  return inState('running') ?? inState('paused')
}

/** Goes on with a mission that runs; two may not set the statuses of one file. */
function goOnWith(
  { mission, state, workflow }: PipelineMission,
  first: Pipeline,
  tenant: string,
): Began {
  if (state === 'paused')
    throw new WaybillError('conflict', `the mission ${mission} of this file is paused`, {
      hint: `go on with it: ${missionCommand('resume', { tenant, mission })}`,
    })
  if (workflow === workflowOf(first)) return { mission, continued: true }
  throw new WaybillError(
    'conflict',
    `the mission ${mission} works on this file, as it was made of its workflow ${quote(workflow)}`,
    {
      hint: `wait until it has ended, or end it: ${missionCommand('cancel', { tenant, mission })}`,
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
  // A phase is told of where it is not its agents that keep it.
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
