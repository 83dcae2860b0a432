import type { Fields } from '../contract/index.ts'
import type { AggregationPacket } from './aggregation-packet.v1/schema.ts'
import type { LibrarianPass } from './librarian-pass.v1/schema.ts'
import type { MissionEnvelope } from './mission-envelope.v1/schema.ts'
import type { MissionTaskGraph } from './mission-task-graph.v1/schema.ts'
import type { PolicyDecision } from './policy-decision.v1/schema.ts'
import type { PromptPackage } from './prompt-package.v1/schema.ts'
import type { ResearchArtifact } from './research-artifact.v1/schema.ts'
import type { ReviewPacket } from './review-packet.v1/schema.ts'
import type { WorkerResult } from './worker-result.v1/schema.ts'
import type { WritebackProposal } from './writeback-proposal.v1/schema.ts'

/** What the rules of the mission artifacts ask for beside the document: what else there is of its mission. */
export interface MissionFacts {
  readonly envelope: MissionEnvelope
  /** All graphs of the mission, the document itself included where it is one. */
  readonly graphs: readonly MissionTaskGraph[]
  readonly policies: readonly PolicyDecision[]
  /** Every structurally sound artifact of the mission but the document itself. */
  readonly artifacts: readonly Artifact[]
}

/** An artifact of a mission as a file holds it. */
export interface Artifact {
  readonly schema_name: string
  readonly path: string
  readonly value: Fields
}

/** What the artifacts are, by their schema names. */
interface Artifacts {
  readonly mission_envelope: MissionEnvelope
  readonly mission_task_graph: MissionTaskGraph
  readonly prompt_package: PromptPackage
  readonly research_artifact: ResearchArtifact
  readonly librarian_pass: LibrarianPass
  readonly worker_result: WorkerResult
  readonly aggregation_packet: AggregationPacket
  readonly review_packet: ReviewPacket
  readonly policy_decision: PolicyDecision
  readonly writeback_proposal: WritebackProposal
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

/** One artifact of a known sort, and where it stands. */
export interface Sibling<T> {
  readonly path: string
  readonly value: T
}

/** The artifacts of one sort among those of a mission; none where nothing was supplied. */
export function siblingsNamed<Name extends keyof Artifacts>(
  artifacts: readonly Artifact[] | undefined,
  name: Name,
): Sibling<Artifacts[Name]>[] {
  const found: Sibling<Artifacts[Name]>[] = []
  for (const { schema_name, path, value } of artifacts ?? []) {
    // The facts hold only what its own schema accepts.
    if (schema_name === name) found.push({ path, value: value as unknown as Artifacts[Name] })
  }
  return found
}

/** The artifacts of one sort that belong to one task. */
export function siblingsOfTask<Name extends 'prompt_package' | 'librarian_pass'>(
  artifacts: readonly Artifact[] | undefined,
  name: Name,
  task: string,
): Artifacts[Name][] {
  return siblingsNamed(artifacts, name)
    .map(sibling => sibling.value)
    .filter(value => value.task_id === task)
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
