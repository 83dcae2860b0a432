import type { Task } from '../runner.ts'

/** The kinds of artifacts, by schema name. */
type ArtifactName = keyof typeof SORTS

/** The properties of a kind of artifact. */
interface Sort {
  /** The name of its contract. */
  readonly contract: string
  /** The key of its own id; graphs have none. */
  readonly idKey?: string
  /** The prefix of generated ids. */
  readonly prefix?: string
  /** Whether its task_id is its author's task or the task that it serves. */
  readonly task?: 'own' | 'other'
}

const SORTS = {
  mission_envelope: { contract: 'mission-envelope' },
  mission_task_graph: { contract: 'mission-task-graph' },
  prompt_package: {
    contract: 'prompt-package',
    idKey: 'package_id',
    prefix: 'pkg',
    task: 'other',
  },
  research_artifact: {
    contract: 'research-artifact',
    idKey: 'artifact_id',
    prefix: 'res',
    task: 'own',
  },
  librarian_pass: {
    contract: 'librarian-pass',
    idKey: 'pass_id',
    prefix: 'pass',
    task: 'other',
  },
  worker_result: { contract: 'worker-result', idKey: 'result_id', prefix: 'wrk', task: 'own' },
  aggregation_packet: { contract: 'aggregation-packet', idKey: 'packet_id', prefix: 'agg' },
  review_packet: { contract: 'review-packet', idKey: 'packet_id', prefix: 'rev' },
  policy_decision: { contract: 'policy-decision', idKey: 'decision_id', prefix: 'pol' },
  writeback_proposal: { contract: 'writeback-proposal', idKey: 'proposal_id', prefix: 'wb' },
} as const satisfies Record<string, Sort>

/** The most artifacts in one answer. */
export const MOST_ARTIFACTS = 64

/** The properties of a schema name; undefined when it is not an artifact. */
export function sortOf(name: unknown): Sort | undefined {
  return typeof name === 'string' && Object.hasOwn(SORTS, name)
    ? SORTS[name as ArtifactName]
    : undefined
}

/** The artifacts that each role returns; the first is required. */
export const RETURNED: Readonly<
  Record<Task['role_type'], readonly [ArtifactName, ...ArtifactName[]]>
> = {
  planner: ['mission_task_graph'],
  prompt_master: ['prompt_package'],
  researcher: ['research_artifact'],
  librarian: ['librarian_pass'],
  worker: ['worker_result'],
  aggregator: ['aggregation_packet'],
  reviewer: ['review_packet', 'writeback_proposal'],
}
