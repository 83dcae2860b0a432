import { text } from 'node:stream/consumers'

/** What Waybill writes to the standard input of an agent; of the parts, those that these agents look at. */
export interface Assignment {
  readonly mission: {
    readonly mission_id: string
    readonly normalized_goal: string
    readonly context_refs?: Readonly<Record<string, unknown>>
  }
  readonly task: {
    readonly task_id: string
    readonly role_type: string
    readonly objective: string
    readonly success_criteria: readonly string[]
  }
  readonly pass: Pass | null
  readonly inputs: readonly Artifact[]
}

/** What a librarian lets a worker see. */
export interface Pass {
  readonly pass_id: string
  readonly allowed_resource_families: readonly string[]
  readonly recommended_queries: readonly { readonly tool: string; readonly query: string }[]
}

/** An artifact that came before; which one, its schema name says. */
export type Artifact =
  | ({ readonly schema_name: 'research_artifact' } & Research)
  | ({ readonly schema_name: 'worker_result' } & WorkerResult)
  | ({ readonly schema_name: 'aggregation_packet' } & Aggregation)
  | { readonly schema_name: 'librarian_pass'; readonly pass_id: string }

/** Places that a search has found. */
export interface Research {
  readonly artifact_id: string
  readonly results: readonly { readonly url: string; readonly snippet: string }[]
}

/** Something that is so, and the place that shows it: a file, and the line where one line does. */
export interface Fact {
  readonly subject: string
  readonly value: string
  readonly ref: string
  /** The words that say so; absent where the value was counted over a whole file. */
  readonly quote?: string
}

/** Something that was asked, and the places that answer it; none, if nothing does. */
export interface Question {
  readonly question: string
  readonly answered_by: readonly string[]
}

/** What the workers of this repository report as data. */
export interface Findings {
  readonly facts: readonly Fact[]
  readonly questions: readonly Question[]
}

/** What a worker has found out. */
export interface WorkerResult {
  readonly result_id: string
  readonly task_id: string
  readonly structured_output: Findings
  readonly citations: readonly { readonly ref: string }[]
}

/** The results, put together. */
export interface Aggregation {
  readonly packet_id: string
  readonly summary: string
  readonly evidence_matrix: readonly {
    readonly claim: string
    readonly support_refs: readonly string[]
  }[]
  readonly contradictions: readonly Contradiction[]
  readonly coverage_gaps: readonly string[]
}

/** Places that say different things about the same. */
export interface Contradiction {
  readonly subject: string
  readonly values: readonly { readonly value: string; readonly refs: readonly string[] }[]
}

/** Reads the assignment. */
export async function readAssignment(): Promise<Assignment> {
  return JSON.parse(await text(process.stdin)) as Assignment
}

/** The artifacts of one sort among those that came before. */
export function inputsOf<const N extends Artifact['schema_name']>(
  { inputs }: Assignment,
  name: N,
): Extract<Artifact, { schema_name: N }>[] {
  return inputs.filter(
    (input): input is Extract<Artifact, { schema_name: N }> => input.schema_name === name,
  )
}

/** Answers with artifacts; what all of them have, such as mission and producer, is filled in. */
export function answer(...artifacts: readonly object[]): void {
  process.stdout.write(`${JSON.stringify({ artifacts })}\n`)
}
