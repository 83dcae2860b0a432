import type { ColumnType } from "kysely";

export type Generated<T> = T extends ColumnType<infer S, infer I, infer U>
  ? ColumnType<S, I | undefined, U>
  : ColumnType<T, T | undefined, T>;

export type Int8 = ColumnType<string, bigint | number | string, bigint | number | string>;

export type Json = JsonValue;

export type JsonArray = JsonValue[];

export type JsonObject = {
  [x: string]: JsonValue | undefined;
};

export type JsonPrimitive = boolean | number | string | null;

export type JsonValue = JsonArray | JsonObject | JsonPrimitive;

export type Timestamp = ColumnType<Date, Date | string, Date | string>;

export interface ColonyAggregationPackets {
  /**
   * When the artifact was written.
   */
  created_at: Generated<Timestamp>;
  /**
   * Hex SHA-256 of the canonical JSON of the payload.
   */
  digest: string;
  /**
   * The mission that the artifact belongs to, a UUID.
   */
  mission_id: Generated<string>;
  /**
   * What the packet is called.
   */
  packet_id: Generated<string>;
  /**
   * The artifact, as canonical JSON; nothing once it is erased.
   */
  payload: Json | null;
  /**
   * When the database took it.
   */
  recorded_at: Generated<Timestamp>;
  /**
   * Whose row it is; the tenant of the transaction where nothing is said.
   */
  tenant_id: Generated<string>;
  /**
   * What stays of an erased payload, and when, by whom and why it was erased.
   */
  tombstone: Json | null;
}

export interface ColonyLibrarianPasses {
  /**
   * When the artifact was written.
   */
  created_at: Generated<Timestamp>;
  /**
   * Hex SHA-256 of the canonical JSON of the payload.
   */
  digest: string;
  /**
   * When the pass ends.
   */
  expires_at: Generated<Timestamp>;
  /**
   * The mission that the artifact belongs to, a UUID.
   */
  mission_id: Generated<string>;
  /**
   * What the pass is called.
   */
  pass_id: Generated<string>;
  /**
   * The artifact, as canonical JSON; nothing once it is erased.
   */
  payload: Json | null;
  /**
   * When the database took it.
   */
  recorded_at: Generated<Timestamp>;
  /**
   * The task that the pass is for.
   */
  task_id: Generated<string>;
  /**
   * Whose row it is; the tenant of the transaction where nothing is said.
   */
  tenant_id: Generated<string>;
  /**
   * What stays of an erased payload, and when, by whom and why it was erased.
   */
  tombstone: Json | null;
}

export interface ColonyMissions {
  /**
   * When the artifact was written.
   */
  created_at: Generated<Timestamp>;
  /**
   * Hex SHA-256 of the canonical JSON of the payload.
   */
  digest: string;
  /**
   * The mission that the artifact belongs to, a UUID.
   */
  mission_id: Generated<string>;
  /**
   * What sort of mission it is.
   */
  mission_type: Generated<string>;
  /**
   * The artifact, as canonical JSON; nothing once it is erased.
   */
  payload: Json | null;
  /**
   * When the database took it.
   */
  recorded_at: Generated<Timestamp>;
  /**
   * How much can go wrong.
   */
  risk_level: Generated<string>;
  /**
   * Whose row it is; the tenant of the transaction where nothing is said.
   */
  tenant_id: Generated<string>;
  /**
   * What stays of an erased payload, and when, by whom and why it was erased.
   */
  tombstone: Json | null;
}

export interface ColonyPolicyDecisions {
  /**
   * When the artifact was written.
   */
  created_at: Generated<Timestamp>;
  /**
   * The decision itself.
   */
  decision: Generated<string>;
  /**
   * What the decision is called.
   */
  decision_id: Generated<string>;
  /**
   * What sort of thing is decided on, such as tool_scope or writeback.
   */
  decision_type: Generated<string>;
  /**
   * Hex SHA-256 of the canonical JSON of the payload.
   */
  digest: string;
  /**
   * The mission that the artifact belongs to, a UUID.
   */
  mission_id: Generated<string>;
  /**
   * The artifact, as canonical JSON; nothing once it is erased.
   */
  payload: Json | null;
  /**
   * When the database took it.
   */
  recorded_at: Generated<Timestamp>;
  /**
   * What is allowed or denied.
   */
  subject: Generated<string>;
  /**
   * Whose row it is; the tenant of the transaction where nothing is said.
   */
  tenant_id: Generated<string>;
  /**
   * What stays of an erased payload, and when, by whom and why it was erased.
   */
  tombstone: Json | null;
}

export interface ColonyPromptPackages {
  /**
   * When the artifact was written.
   */
  created_at: Generated<Timestamp>;
  /**
   * Hex SHA-256 of the canonical JSON of the payload.
   */
  digest: string;
  /**
   * The mission that the artifact belongs to, a UUID.
   */
  mission_id: Generated<string>;
  /**
   * What the package is called.
   */
  package_id: Generated<string>;
  /**
   * The artifact, as canonical JSON; nothing once it is erased.
   */
  payload: Json | null;
  /**
   * When the database took it.
   */
  recorded_at: Generated<Timestamp>;
  /**
   * Which part the agent plays that gets the prompts.
   */
  role_type: Generated<string>;
  /**
   * The task that the prompts are for.
   */
  task_id: Generated<string>;
  /**
   * Whose row it is; the tenant of the transaction where nothing is said.
   */
  tenant_id: Generated<string>;
  /**
   * What stays of an erased payload, and when, by whom and why it was erased.
   */
  tombstone: Json | null;
}

export interface ColonyResearchArtifacts {
  /**
   * What the artifact is called.
   */
  artifact_id: Generated<string>;
  /**
   * When the artifact was written.
   */
  created_at: Generated<Timestamp>;
  /**
   * Hex SHA-256 of the canonical JSON of the payload.
   */
  digest: string;
  /**
   * The mission that the artifact belongs to, a UUID.
   */
  mission_id: Generated<string>;
  /**
   * The artifact, as canonical JSON; nothing once it is erased.
   */
  payload: Json | null;
  /**
   * When the database took it.
   */
  recorded_at: Generated<Timestamp>;
  /**
   * The task that the research was done for.
   */
  task_id: Generated<string>;
  /**
   * Whose row it is; the tenant of the transaction where nothing is said.
   */
  tenant_id: Generated<string>;
  /**
   * What stays of an erased payload, and when, by whom and why it was erased.
   */
  tombstone: Json | null;
}

export interface ColonyReviewPackets {
  /**
   * When the artifact was written.
   */
  created_at: Generated<Timestamp>;
  /**
   * Hex SHA-256 of the canonical JSON of the payload.
   */
  digest: string;
  /**
   * The mission that the artifact belongs to, a UUID.
   */
  mission_id: Generated<string>;
  /**
   * What the packet is called.
   */
  packet_id: Generated<string>;
  /**
   * The artifact, as canonical JSON; nothing once it is erased.
   */
  payload: Json | null;
  /**
   * When the database took it.
   */
  recorded_at: Generated<Timestamp>;
  /**
   * What the reviewer decided.
   */
  review_status: Generated<string>;
  /**
   * Whose row it is; the tenant of the transaction where nothing is said.
   */
  tenant_id: Generated<string>;
  /**
   * What stays of an erased payload, and when, by whom and why it was erased.
   */
  tombstone: Json | null;
}

export interface ColonyTaskDependencies {
  /**
   * The task that it waits for.
   */
  depends_on: string;
  /**
   * The mission that both tasks belong to.
   */
  mission_id: string;
  /**
   * The task that waits.
   */
  task_id: string;
  /**
   * Whose row it is.
   */
  tenant_id: string;
}

export interface ColonyTaskGraphs {
  /**
   * When the artifact was written.
   */
  created_at: Generated<Timestamp>;
  /**
   * Hex SHA-256 of the canonical JSON of the payload.
   */
  digest: string;
  /**
   * The mission that the artifact belongs to, a UUID.
   */
  mission_id: Generated<string>;
  /**
   * The artifact, as canonical JSON; nothing once it is erased.
   */
  payload: Json | null;
  /**
   * When the database took it.
   */
  recorded_at: Generated<Timestamp>;
  /**
   * Whose row it is; the tenant of the transaction where nothing is said.
   */
  tenant_id: Generated<string>;
  /**
   * What stays of an erased payload, and when, by whom and why it was erased.
   */
  tombstone: Json | null;
}

export interface ColonyTasks {
  /**
   * The graph that the task stands in.
   */
  graph_digest: string;
  /**
   * The mission that the task belongs to.
   */
  mission_id: string;
  /**
   * The task record as its graph has it; nothing once the graph is erased.
   */
  payload: Json | null;
  /**
   * Where it stands there, counted from 0.
   */
  position: number;
  /**
   * The part that its agent plays.
   */
  role_type: Generated<string>;
  /**
   * What the task is called.
   */
  task_id: Generated<string>;
  /**
   * Whose row it is.
   */
  tenant_id: string;
  /**
   * What stays of an erased record, and when, by whom and why it was erased.
   */
  tombstone: Json | null;
}

export interface ColonyWorkerResults {
  /**
   * When the artifact was written.
   */
  created_at: Generated<Timestamp>;
  /**
   * Hex SHA-256 of the canonical JSON of the payload.
   */
  digest: string;
  /**
   * The mission that the artifact belongs to, a UUID.
   */
  mission_id: Generated<string>;
  /**
   * The artifact, as canonical JSON; nothing once it is erased.
   */
  payload: Json | null;
  /**
   * When the database took it.
   */
  recorded_at: Generated<Timestamp>;
  /**
   * What the result is called.
   */
  result_id: Generated<string>;
  /**
   * The task that was done.
   */
  task_id: Generated<string>;
  /**
   * Whose row it is; the tenant of the transaction where nothing is said.
   */
  tenant_id: Generated<string>;
  /**
   * What stays of an erased payload, and when, by whom and why it was erased.
   */
  tombstone: Json | null;
}

export interface ColonyWritebackProposals {
  /**
   * When the artifact was written.
   */
  created_at: Generated<Timestamp>;
  /**
   * Hex SHA-256 of the canonical JSON of the payload.
   */
  digest: string;
  /**
   * The mission that the artifact belongs to, a UUID.
   */
  mission_id: Generated<string>;
  /**
   * The artifact, as canonical JSON; nothing once it is erased.
   */
  payload: Json | null;
  /**
   * What the proposal is called.
   */
  proposal_id: Generated<string>;
  /**
   * When the database took it.
   */
  recorded_at: Generated<Timestamp>;
  /**
   * Whether somebody has to approve the change first.
   */
  requires_approval: Generated<boolean>;
  /**
   * Whose row it is; the tenant of the transaction where nothing is said.
   */
  tenant_id: Generated<string>;
  /**
   * What stays of an erased payload, and when, by whom and why it was erased.
   */
  tombstone: Json | null;
}

export interface Installation {
  /**
   * True: there is one.
   */
  is_the_only_one: Generated<boolean>;
  /**
   * The name of its log.
   */
  origin: string;
  /**
   * Since when.
   */
  since: Generated<Timestamp>;
}

export interface LedgerCheckpoint {
  /**
   * There is one row, or none.
   */
  is_one: Generated<boolean>;
  /**
   * The signed note.
   */
  note: string;
  /**
   * How many entries it covers.
   */
  size: Int8;
}

export interface LedgerEntries {
  /**
   * What stands beside the leaf, or the tombstone that took its place.
   */
  content: string;
  /**
   * SHA-256 that names the entry.
   */
  digest: Buffer;
  /**
   * When a tombstone took the place of its content in this database.
   */
  erased_at: Timestamp | null;
  /**
   * When it was appended, in milliseconds since 1970; never before the entry ahead of it. Entries that were moved here together have the time of the last of them.
   */
  gateway_time: Int8;
  /**
   * Its place in the log.
   */
  index: Int8;
  /**
   * What stands in the tree.
   */
  leaf: Buffer;
  /**
   * The hash of the leaf as RFC 6962 has it.
   */
  leaf_hash: Generated<Buffer>;
}

export interface LedgerKeys {
  /**
   * The entry that has it.
   */
  index: Int8;
  /**
   * Whether no other entry may have it as a unique one.
   */
  is_unique: boolean;
  /**
   * SHA-256 of the key.
   */
  key: Buffer;
}

export interface LedgerNodes {
  /**
   * The root of the tile.
   */
  hash: Buffer;
  /**
   * Its place in that level.
   */
  index: Int8;
  /**
   * In tiles of which level it stands; those of level 0 are the hashes of leaves.
   */
  level: number;
}

export interface LedgerState {
  /**
   * Which start of that machine it was.
   */
  boot: string | null;
  /**
   * The roots of its full subtrees, the largest first.
   */
  frontier: Generated<Buffer>;
  /**
   * When something was last appended, in milliseconds since 1970.
   */
  gateway_time: Int8 | null;
  /**
   * Whether a log is being moved here; until that has ended nobody else appends.
   */
  is_moving: Generated<boolean>;
  /**
   * There is one row.
   */
  is_one: Generated<boolean>;
  /**
   * The name of the log; nothing until its first entry or checkpoint.
   */
  origin: string | null;
  /**
   * How many entries it has.
   */
  size: Generated<Int8>;
  /**
   * For how many milliseconds it had been running.
   */
  uptime: number | null;
  /**
   * What the clock of that machine said, in milliseconds since 1970.
   */
  wall: number | null;
}

export interface MissionRuns {
  /**
   * How many are queued, running or waiting.
   */
  active_tasks: Generated<number>;
  /**
   * When its time budget is used up; moved on by as long as it was paused.
   */
  deadline: Timestamp | null;
  /**
   * When it was over.
   */
  ended_at: Timestamp | null;
  /**
   * The mission.
   */
  mission_id: string;
  /**
   * How many tasks are not done.
   */
  open_tasks: Generated<number>;
  /**
   * Since when it is paused.
   */
  paused_at: Timestamp | null;
  /**
   * Why it ended before its end: a code and a sentence.
   */
  reason: Json | null;
  /**
   * How often artifacts were added that all others are examined with: graphs, reviews and proposals.
   */
  revision: Generated<number>;
  /**
   * When it was submitted.
   */
  started_at: Generated<Timestamp>;
  /**
   * What the mission does.
   */
  state: string;
  /**
   * The template that it was made from, if it was.
   */
  template: string | null;
  /**
   * Whose row it is.
   */
  tenant_id: string;
  /**
   * How many tokens its agents may use together.
   */
  token_budget: Int8 | null;
  /**
   * How many they have used, as far as runners tell.
   */
  tokens_used: Generated<Int8>;
}

export interface ProposalDecisions {
  /**
   * When.
   */
  decided_at: Generated<Timestamp>;
  /**
   * Who decided.
   */
  decided_by: string;
  /**
   * What was decided.
   */
  decision: string;
  /**
   * Hex SHA-256 of the canonical JSON of the proposal that was decided on.
   */
  digest: string;
  /**
   * The entry of the log that says so, by its digest; nothing until it is recorded: nobody acts on it before.
   */
  entry: string | null;
  /**
   * Until when an approval may be acted on.
   */
  expires_at: Timestamp | null;
  /**
   * The mission.
   */
  mission_id: string;
  /**
   * The proposal.
   */
  proposal_id: string;
  /**
   * Whether a key shows that, it is a name alone, or a policy let the proposal out without a person.
   */
  standing: string;
  /**
   * What was stated, and the signature over it.
   */
  statement: Json;
  /**
   * Whose row it is.
   */
  tenant_id: string;
  /**
   * Why.
   */
  why: string;
}

export interface TaskOutputs {
  /**
   * Its own id; a graph has its digest.
   */
  artifact_id: string;
  /**
   * Hex SHA-256 of its canonical JSON.
   */
  digest: string;
  /**
   * The mission.
   */
  mission_id: string;
  /**
   * The place of the artifact among those of the task.
   */
  position: number;
  /**
   * What sort of artifact it is.
   */
  schema_name: string;
  /**
   * The task.
   */
  task_id: string;
  /**
   * Whose row it is.
   */
  tenant_id: string;
}

export interface TaskRuns {
  /**
   * The agent that does it, by its canonical id.
   */
  agent: string;
  /**
   * The answer of whoever was waited for, until it is an artifact.
   */
  answer: Json | null;
  /**
   * The person who gave the answer that the task went on with, whether a key shows it, and the entry of the log that says so.
   */
  answered_by: Json | null;
  /**
   * The number of its newest start. Whoever comes with an older one is refused: the fence.
   */
  attempt: Generated<number>;
  /**
   * When it was over.
   */
  ended_at: Timestamp | null;
  /**
   * How often it has failed.
   */
  failures: Generated<number>;
  /**
   * The handoff by which its newest start was handed over.
   */
  handoff_id: string | null;
  /**
   * How often its worker was lost.
   */
  losses: Generated<number>;
  /**
   * The mission.
   */
  mission_id: string;
  /**
   * How many tasks that it depends on are not done.
   */
  open_dependencies: number;
  /**
   * Its place among all tasks of the mission, in the order of the graphs.
   */
  position: number;
  /**
   * The template of its prompts, and its version, if one was named.
   */
  prompt: string | null;
  /**
   * When it was last ready.
   */
  queued_at: Timestamp | null;
  /**
   * Why it failed last: a code, a sentence and what was found.
   */
  reason: Json | null;
  /**
   * How often and when it is tried again.
   */
  retries: Generated<Json>;
  /**
   * When it was last started.
   */
  started_at: Timestamp | null;
  /**
   * What the task does.
   */
  state: string;
  /**
   * The task.
   */
  task_id: string;
  /**
   * Whose row it is.
   */
  tenant_id: string;
  /**
   * What its runner goes on with.
   */
  token: Json | null;
  /**
   * How many tokens its agent has used.
   */
  tokens_used: Generated<Int8>;
  /**
   * Whom it waits for.
   */
  waiting_for: string | null;
  /**
   * The worker that does it.
   */
  worker_id: string | null;
}

export interface Tenants {
  /**
   * When its first mission came.
   */
  first_seen: Generated<Timestamp>;
  /**
   * The tenant.
   */
  tenant_id: string;
}

export interface ToolCalls {
  /**
   * Hex SHA-256 of the canonical JSON of its arguments; nothing where they were none.
   */
  arguments_digest: string | null;
  /**
   * The start of the task that it was made in.
   */
  attempt: number;
  /**
   * Whether the guard let it through.
   */
  decision: string;
  /**
   * Whether the agent was given less than all of it.
   */
  is_cut: boolean;
  /**
   * Whether it failed.
   */
  is_error: boolean;
  /**
   * The mission.
   */
  mission_id: string;
  /**
   * How long it took, in milliseconds.
   */
  ms: number;
  /**
   * The policies that determined that.
   */
  policies: string[];
  /**
   * The name of the call, as worker results refer to it.
   */
  ref: string;
  /**
   * How large the result was.
   */
  result_bytes: Int8;
  /**
   * Hex SHA-256 of its result; nothing where there was none.
   */
  result_digest: string | null;
  /**
   * The server that has it.
   */
  server: string | null;
  /**
   * When it was made.
   */
  started_at: Timestamp;
  /**
   * The task.
   */
  task_id: string;
  /**
   * Whose row it is.
   */
  tenant_id: string;
  /**
   * The tool, as missions name it.
   */
  tool: string;
}

export interface Workers {
  /**
   * The machine that it runs on.
   */
  host: string;
  /**
   * Its process there.
   */
  pid: number;
  /**
   * When it last said that it is there, by the clock of the database.
   */
  renewed_at: Generated<Timestamp>;
  /**
   * When it began.
   */
  started_at: Generated<Timestamp>;
  /**
   * The worker; the queue knows it by the same id.
   */
  worker_id: string;
}

export interface WritebackOutbox {
  /**
   * How often it was sent.
   */
  attempts: Generated<number>;
  /**
   * When it had arrived, or was given up.
   */
  ended_at: Timestamp | null;
  /**
   * The mission.
   */
  mission_id: string;
  /**
   * When it is sent next.
   */
  next_at: Generated<Timestamp>;
  /**
   * What came of it last: a code and a sentence.
   */
  outcome: Json | null;
  /**
   * The proposal.
   */
  proposal_id: string;
  /**
   * Whether it has arrived.
   */
  state: Generated<string>;
  /**
   * Whose row it is.
   */
  tenant_id: string;
}

export interface DB {
  colony_aggregation_packets: ColonyAggregationPackets;
  colony_librarian_passes: ColonyLibrarianPasses;
  colony_missions: ColonyMissions;
  colony_policy_decisions: ColonyPolicyDecisions;
  colony_prompt_packages: ColonyPromptPackages;
  colony_research_artifacts: ColonyResearchArtifacts;
  colony_review_packets: ColonyReviewPackets;
  colony_task_dependencies: ColonyTaskDependencies;
  colony_task_graphs: ColonyTaskGraphs;
  colony_tasks: ColonyTasks;
  colony_worker_results: ColonyWorkerResults;
  colony_writeback_proposals: ColonyWritebackProposals;
  installation: Installation;
  ledger_checkpoint: LedgerCheckpoint;
  ledger_entries: LedgerEntries;
  ledger_keys: LedgerKeys;
  ledger_nodes: LedgerNodes;
  ledger_state: LedgerState;
  mission_runs: MissionRuns;
  proposal_decisions: ProposalDecisions;
  task_outputs: TaskOutputs;
  task_runs: TaskRuns;
  tenants: Tenants;
  tool_calls: ToolCalls;
  workers: Workers;
  writeback_outbox: WritebackOutbox;
}
