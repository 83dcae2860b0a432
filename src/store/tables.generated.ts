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
   * When a tombstone took the place of its content.
   */
  erased_at: Timestamp | null;
  /**
   * When it was appended, in milliseconds since 1970; never before the entry ahead of it.
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
  ledger_checkpoint: LedgerCheckpoint;
  ledger_entries: LedgerEntries;
  ledger_keys: LedgerKeys;
  ledger_nodes: LedgerNodes;
  ledger_state: LedgerState;
  tenants: Tenants;
}
