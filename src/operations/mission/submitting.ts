import { randomUUID } from 'node:crypto'
import { type Diagnostic, quote } from '../../contract/index.ts'
import { WaybillError } from '../../error.ts'
import type { DecisionContext } from '../../governance/index.ts'
import {
  type Missions,
  type Prepared,
  prepareMission,
  submitMission,
  type Wanted,
} from '../../mission/index.ts'
import type { Store } from '../../store/index.ts'
import { mustBeSeen } from '../gateway/stated.ts'
import type { App } from '../operation.ts'
import { readValue } from './answer.ts'
import { ASKED_BY, askedBy } from './asking.ts'
import { numberIn, rangeOf, TIME_BUDGET_INPUT, TOKEN_BUDGET_INPUT } from './numbers.ts'
import { tenantOf } from './open.ts'

/** One problem with a mission that was submitted. */
export interface MissionFault extends Pick<Diagnostic, 'code' | 'path' | 'message' | 'hint'> {
  /** The schema name of the artifact with the problem. */
  readonly artifact: string
}

/** The inputs that describe a mission. */
export const SUBMISSION = {
  template: {
    type: 'string',
    positional: true,
    placeholder: 'template',
    description: 'The mission template: a file in missions/templates, without its extension.',
  },
  goal: { type: 'string', placeholder: 'text', description: 'The goal of the mission.' },
  context: {
    type: 'array',
    items: { type: 'string' },
    placeholder: 'key=value',
    description: 'Facts about the mission; repeat a key to make a list.',
  },
  envelope: {
    type: 'string',
    path: true,
    placeholder: 'file',
    description: 'Your own mission envelope instead of a template; needs --graph.',
  },
  graph: {
    type: 'string',
    path: true,
    placeholder: 'file',
    description: 'The task graph of that envelope.',
  },
  by: ASKED_BY,
  timeBudget: {
    type: 'integer',
    placeholder: 'seconds',
    description: `Time budget in seconds, ${rangeOf(TIME_BUDGET_INPUT)} (default: that of the template).`,
  },
  tokenBudget: {
    type: 'integer',
    placeholder: 'tokens',
    description: `Token budget of all agents, ${rangeOf(TOKEN_BUDGET_INPUT)} (default: that of the template).`,
  },
} as const

/** A mission as the caller describes it. */
export interface Described {
  readonly template?: string | undefined
  readonly goal?: string | undefined
  readonly context?: readonly string[] | undefined
  readonly envelope?: string | undefined
  readonly graph?: string | undefined
  readonly by?: string | undefined
  readonly timeBudget?: number | undefined
  readonly tokenBudget?: number | undefined
  readonly tenant?: string | undefined
}

/** The submitted mission, or why it was not submitted. */
export type Submitted =
  | { readonly mission: string; readonly tenant: string; readonly tasks: number }
  | { readonly faults: readonly MissionFault[] }

/** Prepares and submits a mission. */
export async function submit(
  described: Described,
  {
    app,
    missions,
    decisionContext,
    store,
  }: { app: App; missions: Missions; decisionContext: DecisionContext; store: Store },
): Promise<Submitted> {
  const place = { root: app.root, missions, decisionContext }
  const wanted = await wantedFrom(described, app)
  if ('faults' in wanted) return wanted
  const prepared: Prepared = await prepareMission(wanted, place)
  if ('faults' in prepared)
    return {
      faults: prepared.faults.map(({ code, path, message, hint, artifact }) => ({
        code,
        path,
        message,
        ...(hint !== undefined && { hint }),
        artifact,
      })),
    }
  const { submission } = prepared
  await submitMission(store, submission)
  const { mission_id, tenant_id } = submission.envelope
  return { mission: String(mission_id), tenant: String(tenant_id), tasks: submission.plans.length }
}

/** Inputs that an envelope already contains. */
const OF_TEMPLATES = {
  goal: '--goal',
  context: '--context',
  by: '--by',
  tenant: '--tenant',
  timeBudget: '--time-budget',
  tokenBudget: '--token-budget',
} as const

/**
 * Checks that a description names exactly one mission, before the database is opened.
 *
 * @throws {WaybillError} 'usage' when it does not, or when an input would have no effect.
 */
export function requireMeaning(described: Described, app: App): void {
  const { template, goal, envelope, graph, by, timeBudget, tokenBudget, context = [] } = described
  numberIn(TIME_BUDGET_INPUT, timeBudget)
  numberIn(TOKEN_BUDGET_INPUT, tokenBudget)
  contextFrom(context)
  if (by !== undefined) askedBy(by, app)
  // Agents read the goal, and a handoff with hidden text is refused.
  mustBeSeen(goal ?? '', 'the goal')
  const isOwn = envelope !== undefined && graph !== undefined && template === undefined
  const isMade = template !== undefined && goal !== undefined
  if (!isOwn && (!isMade || envelope !== undefined || graph !== undefined))
    throw new WaybillError('usage', unclear(described), {
      hint: 'name a template and a goal: waybill mission run <template> --goal "…"; or give --envelope <file> and --graph <file>',
    })
  const names = Object.keys(OF_TEMPLATES) as (keyof typeof OF_TEMPLATES)[]
  const idle = isOwn ? names.find(name => described[name] !== undefined) : undefined
  if (idle)
    throw new WaybillError('usage', `${OF_TEMPLATES[idle]} has no effect with --envelope`, {
      hint: 'set it in the envelope',
    })
}

/** Says why a description names no mission, or two. */
function unclear({ template, envelope, graph }: Described): string {
  const own = envelope === undefined ? '--graph' : '--envelope'
  if (template !== undefined && (envelope ?? graph) !== undefined)
    return `the mission is described twice: by the template ${quote(template)} and by ${own}`
  if (template !== undefined) return 'the goal of the mission is missing'
  if (envelope !== undefined) return '--envelope needs --graph'
  return graph === undefined ? 'no mission is described' : '--graph needs --envelope'
}

async function wantedFrom(described: Described, app: App) {
  const { template = '', goal = '', envelope, graph, timeBudget, tokenBudget } = described
  if (envelope !== undefined && graph !== undefined) return ownFrom(envelope, graph, app)
  const contextRefs = contextFrom(described.context ?? [])
  return {
    template,
    id: randomUUID(),
    wish: {
      goal,
      tenant: tenantOf(described),
      actor: askedBy(described.by, app),
      origin: 'cli',
      ...(Object.keys(contextRefs).length > 0 && { contextRefs }),
      ...(timeBudget !== undefined && { timeBudgetMs: timeBudget * 1000 }),
      ...(tokenBudget !== undefined && { tokenBudget }),
    },
  }
}

/** Reads the given envelope and graph, or says why they cannot be read. */
async function ownFrom(
  envelope: string,
  graph: string,
  app: App,
): Promise<Wanted | { readonly faults: readonly MissionFault[] }> {
  const own = await readOwn(envelope, 'mission_envelope', app)
  const itsGraph = await readOwn(graph, 'mission_task_graph', app)
  if ('value' in own && 'value' in itsGraph) return { envelope: own.value, graph: itsGraph.value }
  return { faults: [own, itsGraph].flatMap(read => ('faults' in read ? read.faults : [])) }
}

/** Reads an artifact and requires its schema name. */
async function readOwn(path: string, artifact: string, app: App) {
  const read = await readValue(path, app)
  if ('faults' in read)
    return { faults: read.faults.map(fault => ({ ...fault, path: '', artifact })) }
  const { schema_name: name } = read.value
  if (typeof name !== 'string' || name === artifact) return read
  const message = `${path} is ${quote(name)}, but must be a ${artifact}`
  const hint = 'pass the envelope with --envelope and the task graph with --graph'
  return { faults: [{ code: 'schema/const', path: '/schema_name', message, hint, artifact }] }
}

function contextFrom(pairs: readonly string[]): Record<string, string | string[]> {
  const context = new Map<string, string | string[]>()
  for (const pair of pairs) {
    const at = pair.indexOf('=')
    if (at < 1)
      throw new WaybillError('usage', `--context ${quote(pair)} is not key=value`, {
        hint: 'for example --context lead_ids=lead_123',
      })
    const [key, value] = [pair.slice(0, at), pair.slice(at + 1)]
    const before = context.get(key)
    context.set(key, before === undefined ? value : [before, value].flat())
  }
  return Object.fromEntries(context)
}
