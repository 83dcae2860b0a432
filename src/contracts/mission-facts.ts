import { type Fact, type Fields, type Finding, type Missing, quote } from '../contract/index.ts'
import type { MissionEnvelope } from './mission-envelope.v1/schema.ts'
import { missionIdIn } from './mission-id.ts'
import type { MissionTaskGraph } from './mission-task-graph.v1/schema.ts'
import type { PolicyDecision } from './policy-decision.v1/schema.ts'

/** What the rules of the mission artifacts ask for beside the document: what else there is of its mission. */
export interface MissionFacts {
  readonly envelope: Pick<MissionEnvelope, 'tenant_id' | 'actor_id'>
  /** All graphs of the mission, the document itself included where it is one. */
  readonly graphs: readonly MissionTaskGraph[]
  readonly policies: readonly PolicyDecision[]
  /** Every artifact of the mission but the document itself, the faulty ones included. */
  readonly artifacts: readonly Artifact[]
}

/** An artifact of a mission as a file holds it. */
export interface Artifact {
  readonly schema_name: string
  readonly path: string
  /** Where there is a fault, any part may be missing or have another shape. */
  readonly value: Fields
  /** Why the artifact cannot be relied on as a whole; absent where its structure is sound. */
  readonly fault?: Missing
}

/** Under which key each artifact says its own id; a graph has none. */
const ID_KEYS: Readonly<Record<string, string>> = {
  mission_envelope: 'mission_id',
  prompt_package: 'package_id',
  research_artifact: 'artifact_id',
  librarian_pass: 'pass_id',
  worker_result: 'result_id',
  aggregation_packet: 'packet_id',
  review_packet: 'packet_id',
  policy_decision: 'decision_id',
  writeback_proposal: 'proposal_id',
}

/** The facts that all documents of a mission share, among its artifacts; `absent` says why there is none of a sort. */
export function sharedFacts(
  all: readonly Artifact[],
  absent: (name: string) => Missing,
): Readonly<Record<'envelope' | 'graphs' | 'policies', Fact>> {
  const wanted = (name: string): Fact => {
    const found = siblingsNamed(all, name)
    // A decision that cannot be read may be the one that denies.
    const fault = found.find(artifact => artifact.fault)?.fault
    if (fault) return fault
    return found.length > 0 ? { value: found.map(({ value }) => value) } : absent(name)
  }
  const envelopes = siblingsNamed(all, 'mission_envelope')
  return {
    envelope: envelopes.every(saysOwner)
      ? (ownerIn(envelopes) ?? wanted('mission_envelope'))
      : wanted('mission_envelope'),
    graphs: wanted('mission_task_graph'),
    policies: wanted('policy_decision'),
  }
}

const UNNAMED: Missing = {
  missing: 'no mission_id says to which mission it belongs',
  hint: 'give it the mission_id of its mission, a UUID',
}

/** The facts for a document that names no mission: what its mission has cannot be known, so nothing of it is held against it. */
export const NO_MISSION: Readonly<Record<'envelope' | 'graphs' | 'policies' | 'artifacts', Fact>> =
  {
    envelope: UNNAMED,
    graphs: UNNAMED,
    policies: UNNAMED,
    artifacts: UNNAMED,
  }

/** The envelope that says whose the mission is; that there is none such where two of them contradict each other. */
function ownerIn([first, ...others]: readonly Artifact[]): Fact | undefined {
  if (!first) return undefined
  for (const key of ['tenant_id', 'actor_id']) {
    const other = others.find(({ value }) => value[key] !== first.value[key])
    if (other)
      return {
        missing: `${first.path} and ${other.path} are envelopes of one mission and name another ${key} each`,
        hint: 'mend or remove the one that is wrong: a mission has one tenant and one actor',
      }
  }
  return { value: first.value }
}

/** Whether an envelope names tenant and actor of its mission, which is all that others ask of it. */
function saysOwner({ value: { schema_name, mission_id, tenant_id, actor_id } }: Artifact): boolean {
  const isSure = schema_name === 'mission_envelope' && missionIdIn(mission_id) !== undefined
  return isSure && isName(tenant_id) && isName(actor_id)
}

const isName = (value: unknown) => typeof value === 'string' && value !== ''

/** The artifacts of a mission, and the faulty ones that may be, since they do not say of which mission they are. */
export function artifactsOf<One extends Artifact>(
  own: readonly One[],
  unclaimed: readonly One[],
): readonly One[] {
  if (unclaimed.length === 0) return own
  // A mission has one envelope: where it is known, another one belongs to another mission.
  const isOthers = (one: One) => hasEnvelope(own) && hasEnvelope([one])
  return [...own, ...unclaimed.filter(one => !isOthers(one))]
}

/** Whether there is an envelope among artifacts; none where nothing was supplied. */
export function hasEnvelope(artifacts: readonly Artifact[] | undefined): boolean {
  return siblingsNamed(artifacts, 'mission_envelope').length > 0
}

/** The artifacts of one sort among those of a mission; none where nothing was supplied. */
export function siblingsNamed(
  artifacts: readonly Artifact[] | undefined,
  name: string,
): readonly Artifact[] {
  return (artifacts ?? []).filter(({ schema_name }) => schema_name === name)
}

/** The artifacts of one sort that belong to one task, and those that do not say to which they belong. */
export function siblingsOfTask(
  artifacts: readonly Artifact[] | undefined,
  name: 'prompt_package' | 'librarian_pass',
  task: string,
): readonly Artifact[] {
  return siblingsNamed(artifacts, name).filter(({ value: { task_id } }) =>
    typeof task_id === 'string' ? task_id === task : true,
  )
}

/** The tasks of a graph as far as other graphs look at them; nothing where the graph does not say them all. */
export function tasksOf({ value: { tasks } }: Artifact): readonly GraphTask[] | undefined {
  return Array.isArray(tasks) && tasks.every(isTask) ? tasks : undefined
}

type GraphTask = Pick<MissionTaskGraph['tasks'][number], 'task_id' | 'depends_on'>

function isTask(task: unknown): task is GraphTask {
  const { task_id, depends_on } = (task ?? {}) as Fields
  return typeof task_id === 'string' && isTexts(depends_on)
}

const isTexts = (list: unknown): list is string[] =>
  Array.isArray(list) && list.every(one => typeof one === 'string')

/** That a rule could not decide, because an artifact does not say what it asks for. */
export function undecidedBy({ path, fault }: Artifact): Finding {
  const { missing, hint } = fault ?? { missing: `${path} cannot be read` }
  return {
    path: [],
    undecided: 'artifacts',
    message: missing,
    ...(hint === undefined ? {} : { hint }),
  }
}

/** An artifact as messages name it: by the id that it gives itself, else by its place. */
export function nameOf(artifact: Artifact): string {
  const id = idOf(artifact)
  return id === undefined ? artifact.path : quote(id)
}

/** The id that an artifact gives itself. */
export function idOf({ schema_name, value }: Artifact): string | undefined {
  const key = Object.hasOwn(ID_KEYS, schema_name) ? ID_KEYS[schema_name] : undefined
  const id = key === undefined ? undefined : value[key]
  return typeof id === 'string' ? id : undefined
}

/** What policies of one type decide, by subject: deny wins over allow, and what is not there is not decided. */
export function decisionsOfType(
  type: string,
  policies: readonly PolicyDecision[] = [],
): ReadonlyMap<string, PolicyDecision> {
  const decisions = new Map<string, PolicyDecision>()
  for (const policy of policies) {
    if (policy.decision_type !== type) continue
    if (policy.decision === 'deny' || !decisions.has(policy.subject)) {
      decisions.set(policy.subject, policy)
    }
  }
  return decisions
}
