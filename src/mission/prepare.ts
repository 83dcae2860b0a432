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

/** What somebody wants to be done: by a template, or with an envelope and a graph of their own. */
export type Wanted =
  | { readonly template: string; readonly wish: Wish; readonly id: string }
  | {
      readonly envelope: Payload
      readonly graph: Payload
      /** Canonical ids of agents by task; whoever plays its role where it says nothing. */
      readonly agents?: Readonly<Record<string, string>>
    }

/** A mission that can begin, or what is wrong with it. */
export type Prepared =
  | { readonly submission: Submission }
  | { readonly faults: readonly (Diagnostic & { readonly artifact: string })[] }

/** What it takes to prepare a mission in a repository. */
export interface Preparing {
  readonly root: string
  readonly missions: Missions
  readonly decisionContext: DecisionContext
}

/** Makes everything that a mission begins with, and checks it; what policies deny its agents stands in its decisions. */
export async function prepareMission(wanted: Wanted, place: Preparing): Promise<Prepared> {
  const { missions, decisionContext } = place
  const { envelope, graph, template } = await begin(wanted, place)
  const written = [envelope, graph] as unknown as Payload[]
  // Nobody decides on what is no envelope and no graph.
  const structure = await unsound(written, decisionContext.at)
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

/** Refuses a mission that lacks what one of its prompts asks for: nobody could say it when the task has come to its turn. */
async function tryPrompts(
  plans: readonly TaskPlan[],
  { prompts }: Pick<Template, 'prompts'>,
  { envelope, graph }: { readonly envelope: MissionEnvelope; readonly graph: MissionTaskGraph },
  { root, missions, decisionContext }: Preparing,
): Promise<void> {
  const ids = { package: 'tried', producer: missions.orchestrator }
  const roles = new Set(graph.tasks.map(task => task.role_type))
  const [any] = graph.tasks
  // Where an agent writes prompts, nobody knows whether those of the template are used.
  if (!any || roles.has('prompt_master')) return
  // What an agent will plan may get any of those that the template names.
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

/** What is wrong with the structure of artifacts: what they say to each other is looked at later. */
async function unsound(artifacts: readonly Payload[], now: number) {
  const faults = await faultsIn(artifacts, now)
  return faults.some(({ code }) => STRUCTURAL.test(code)) ? faults : []
}

const STRUCTURAL = /^(?:schema|syntax|document)\//
