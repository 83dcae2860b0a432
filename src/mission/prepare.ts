import type { Diagnostic } from '../contract/index.ts'
import type { MissionEnvelope, MissionTaskGraph } from '../contracts/index.ts'
import type { DecisionContext } from '../governance/index.ts'
import type { Missions } from './config.ts'
import { decideFor } from './decide-for.ts'
import { checkArtifacts } from './plan/check.ts'
import { envelopeFrom, graphFrom, plansFor, type TaskPlan, type Wish } from './plan/draft.ts'
import { promptPackage, readPrompt } from './plan/prompts.ts'
import { readTemplate, type Template } from './plan/template.ts'
import type { Submission } from './run/submit.ts'
import type { Payload } from './runner.ts'
import { templateFolder } from './templates.ts'

/** A requested mission: from a template, or with a given envelope and graph. */
export type Wanted =
  | { readonly template: string; readonly wish: Wish; readonly id: string }
  | {
      readonly envelope: Payload
      readonly graph: Payload
      /** Canonical ids of agents by task; the default is the agent of the role. */
      readonly agents?: Readonly<Record<string, string>>
    }

/** A mission that can start, or its faults. */
export type Prepared =
  | { readonly submission: Submission }
  | { readonly faults: readonly (Diagnostic & { readonly artifact: string })[] }

/** What preparing a mission needs. */
export interface Preparing {
  readonly root: string
  readonly missions: Missions
  readonly decisionContext: DecisionContext
}

/** Builds and checks everything that a mission starts with. Denials by policies become decisions of the mission. */
export async function prepareMission(wanted: Wanted, place: Preparing): Promise<Prepared> {
  const { missions, decisionContext } = place
  const { envelope, graph, template } = await begin(wanted, place)
  const written = [envelope, graph] as unknown as Payload[]
  // Policies need a valid envelope and graph.
  const structure = await structuralFaults(written, decisionContext.at)
  if (structure.length > 0) return { faults: structure }
  const agents = ('agents' in wanted && wanted.agents) || {}
  const made = template ?? { ...NONE, agents }
  const plans = plansFor(made, graph.tasks, missions.roles)
  await tryPrompts(plans, made, { envelope, graph }, place)
  const decisions = (await decideFor(
    envelope,
    graph,
    plans,
    decisionContext,
  )) as unknown as Payload[]
  const faults = await faultsIn([...written, ...decisions], decisionContext.at)
  if (faults.length > 0) return { faults }
  const [envelopePayload = {}, graphPayload = {}] = written
  return {
    submission: {
      envelope: envelopePayload,
      graph: graphPayload,
      decisions,
      plans,
      template: template?.name ?? null,
    },
  }
}

/** Refuses a mission that lacks a value for one of its prompts, before its tasks start. */
async function tryPrompts(
  plans: readonly TaskPlan[],
  { prompts }: Pick<Template, 'prompts'>,
  { envelope, graph }: { readonly envelope: MissionEnvelope; readonly graph: MissionTaskGraph },
  { root, missions, decisionContext }: Preparing,
): Promise<void> {
  const ids = { package: 'tried', producer: missions.orchestrator }
  const roles = new Set(graph.tasks.map(task => task.role_type))
  const [any] = graph.tasks
  // A prompt master may replace the template's prompts.
  if (!any || roles.has('prompt_master')) return
  // A planned task may use any prompt that the template names.
  const named = roles.has('planner') ? Object.values(prompts) : []
  for (const prompt of new Set([...plans.map(plan => plan.prompt), ...named])) {
    if (prompt === null) continue
    const found = await readPrompt(templateFolder(root, missions), prompt)
    promptPackage(found, { ...any, role_type: found.role }, envelope, [], decisionContext.at, ids)
  }
}

const NONE = { agents: {}, prompts: {}, retries: { limit: 2, first: 1_000, longest: 60_000 } }

async function begin(wanted: Wanted, { root, missions, decisionContext }: Preparing) {
  if ('envelope' in wanted) {
    const envelope = wanted.envelope as unknown as MissionEnvelope
    const graph = wanted.graph as unknown as MissionTaskGraph
    return { envelope, graph, template: undefined as Template | undefined }
  }
  const template = await readTemplate(templateFolder(root, missions), wanted.template)
  const envelope = envelopeFrom(template, wanted.wish, decisionContext.at, wanted.id)
  return { envelope, graph: graphFrom(template, envelope, decisionContext.at), template }
}

async function faultsIn(artifacts: readonly Payload[], now: number) {
  const checked = await checkArtifacts(artifacts, [], { now })
  return checked.flatMap(({ artifact, accepted, diagnostics }) =>
    accepted
      ? []
      : diagnostics
          .filter(({ severity }) => severity === 'error')
          .map(diagnostic => ({
            ...diagnostic,
            artifact: String(artifact.schema_name ?? 'no artifact'),
          })),
  )
}

/** Faults in the structure of single artifacts. */
async function structuralFaults(artifacts: readonly Payload[], now: number) {
  const faults = await faultsIn(artifacts, now)
  return faults.some(({ code }) => STRUCTURAL.test(code)) ? faults : []
}

const STRUCTURAL = /^(?:schema|syntax|document)\//
