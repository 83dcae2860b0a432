import { type Fact, type Fields, type Finding, type Missing, quote } from '../contract/index.ts'
import type { MissionEnvelope } from './mission-envelope.v1/schema.ts'
import { missionIdIn } from './mission-id.ts'
import type { MissionTaskGraph } from './mission-task-graph.v1/schema.ts'
import type { PolicyDecision } from './policy-decision.v1/schema.ts'

/** Facts about the rest of the mission that the rules of mission artifacts use. */
export interface MissionFacts {
  readonly envelope: Pick<MissionEnvelope, 'tenant_id' | 'actor_id'>
  /** All graphs of the mission, including the document itself if it is one. */
  readonly graphs: readonly MissionTaskGraph[]
  readonly policies: readonly PolicyDecision[]
  /** Every other artifact of the mission, including invalid ones. */
  readonly artifacts: readonly Artifact[]
}

/** An artifact of a mission, as read from a file. */
export interface Artifact {
  readonly schema_name: string
  readonly path: string
  /** If there is a fault, any part may be missing or have the wrong type. */
  readonly value: Fields
  /** Why the artifact cannot be relied on; absent if its structure is valid. */
  readonly fault?: Missing
}

/** The id field of each artifact; a graph has none. */
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

/** The facts that all documents of a mission share; `absent` gives the reason if an artifact type is missing. */
export function sharedFacts(
  all: readonly Artifact[],
  absent: (name: string) => Missing,
): Readonly<Record<'envelope' | 'graphs' | 'policies', Fact>> {
  const wanted = (name: string): Fact => {
    const found = siblingsNamed(all, name)
    // An unreadable policy decision may be a denial.
    const fault = found.find(artifact => artifact.fault)?.fault
    if (fault) return fault
    return found.length > 0 ? { value: found.map(({ value }) => value) } : absent(name)
  }
  const envelopes = siblingsNamed(all, 'mission_envelope')
  return {
    envelope: envelopes.every(hasOwner)
      ? (ownerIn(envelopes) ?? wanted('mission_envelope'))
      : wanted('mission_envelope'),
    graphs: wanted('mission_task_graph'),
    policies: wanted('policy_decision'),
  }
}

const UNNAMED: Missing = {
  missing: 'the document has no mission_id',
  hint: 'add the mission_id of its mission, a UUID',
}

/** The facts for a document without a mission: all missing. */
export const NO_MISSION: Readonly<Record<'envelope' | 'graphs' | 'policies' | 'artifacts', Fact>> =
  {
    envelope: UNNAMED,
    graphs: UNNAMED,
    policies: UNNAMED,
    artifacts: UNNAMED,
  }

/** The envelope that names the owner of the mission; missing if two envelopes contradict each other. */
function ownerIn([first, ...others]: readonly Artifact[]): Fact | undefined {
  if (!first) return undefined
  for (const key of ['tenant_id', 'actor_id']) {
    const other = others.find(({ value }) => value[key] !== first.value[key])
    if (other)
      return {
        missing: `${first.path} and ${other.path} are envelopes of one mission with a different ${key}`,
        hint: 'correct or remove the wrong one: a mission has one tenant and one actor',
      }
  }
  return { value: first.value }
}

/** Whether an envelope has the tenant and actor of its mission, which is all that other documents need. */
function hasOwner({ value: { schema_name, mission_id, tenant_id, actor_id } }: Artifact): boolean {
  const isSure = schema_name === 'mission_envelope' && missionIdIn(mission_id) !== undefined
  return isSure && isName(tenant_id) && isName(actor_id)
}

const isName = (value: unknown) => typeof value === 'string' && value !== ''

/** The artifacts of a mission, and invalid ones that may belong to it because they have no mission id. */
export function artifactsOf<One extends Artifact>(
  own: readonly One[],
  unclaimed: readonly One[],
): readonly One[] {
  if (unclaimed.length === 0) return own
  // A mission has one envelope; if it is known, another envelope belongs to another mission.
  const isOthers = (one: One) => hasEnvelope(own) && hasEnvelope([one])
  return [...own, ...unclaimed.filter(one => !isOthers(one))]
}

/** Whether artifacts include an envelope; false if none were supplied. */
export function hasEnvelope(artifacts: readonly Artifact[] | undefined): boolean {
  return siblingsNamed(artifacts, 'mission_envelope').length > 0
}

/** The artifacts of one type; none if none were supplied. */
export function siblingsNamed(
  artifacts: readonly Artifact[] | undefined,
  name: string,
): readonly Artifact[] {
  return (artifacts ?? []).filter(({ schema_name }) => schema_name === name)
}

/** The artifacts of one type that belong to a task, and those without a task id. */
export function siblingsOfTask(
  artifacts: readonly Artifact[] | undefined,
  name: 'prompt_package' | 'librarian_pass',
  task: string,
): readonly Artifact[] {
  return siblingsNamed(artifacts, name).filter(({ value: { task_id } }) =>
    typeof task_id === 'string' ? task_id === task : true,
  )
}

/** The tasks of a graph, as other graphs need them; `undefined` if they are incomplete. */
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

/** The finding that an invalid artifact keeps a rule from deciding. */
export function undecidedBy({ path, fault }: Artifact): Finding {
  const { missing, hint } = fault ?? { missing: `${path} cannot be read` }
  return {
    path: [],
    undecided: 'artifacts',
    message: missing,
    ...(hint === undefined ? {} : { hint }),
  }
}

/** An artifact's name in messages: its id, else its path. */
export function nameOf(artifact: Artifact): string {
  const id = idOf(artifact)
  return id === undefined ? artifact.path : quote(id)
}

/** The id of an artifact. */
export function idOf({ schema_name, value }: Artifact): string | undefined {
  const key = Object.hasOwn(ID_KEYS, schema_name) ? ID_KEYS[schema_name] : undefined
  const id = key === undefined ? undefined : value[key]
  return typeof id === 'string' ? id : undefined
}

/** The decisions of policies of one type, by subject: deny wins over allow; absent subjects are undecided. */
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
