import type { Task } from '../runner.ts'

/** A sort of artifact, by its schema name. */
type ArtifactName = keyof typeof SORTS

/** What tells one sort of artifact from the others. */
interface Sort {
  /** The contract that it is a document of. */
  readonly contract: string
  /** The key of its own id; a graph has none. */
  readonly idKey?: string
  /** What ids made by us begin with. */
  readonly prefix?: string
  /** Whose task it names: that of its author, or that of whoever it is for. */
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

/** More artifacts than this are no answer to one task. */
export const MOST_ARTIFACTS = 64

/** The sort of a name; nothing where it names no artifact. */
export function sortOf(name: unknown): Sort | undefined {
  return typeof name === 'string' && Object.hasOwn(SORTS, name)
    ? SORTS[name as ArtifactName]
    : undefined
}

/** What the tasks of each role return; the first has to be there. */
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
