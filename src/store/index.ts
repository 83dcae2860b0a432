/**
 * Rows and transactions of missions on PostgreSQL; the only module with SQL. A store is one database. It stores
 * artifacts: the canonical payload of a document, its digest, and columns that the database derives from the payload.
 * The database also checks structure and references, keeps artifacts immutable and isolates tenants by row. A
 * transaction belongs to one tenant. Erasure removes a payload and keeps its digest and a tombstone. Must not contain
 * rules or state transitions.
 */
export {
  type ArtifactName,
  artifactNames,
  insertArtifact,
  insertNewArtifact,
  listArtifacts,
  readArtifact,
  type StoredArtifact,
} from './artifacts.ts'
export { openPool, type Pool, urlInRole } from './connection.ts'
export {
  callFunction,
  claimDelivery,
  type DeliveryAttempt,
  deliverAgain,
  noteDelivery,
  sqlstateOf,
} from './deliveries.ts'
export {
  describeEmbedded,
  type EmbeddedOptions,
  type EmbeddedServer,
  type EmbeddedState,
  type Step,
  startEmbedded,
  stopEmbedded,
} from './embedded/index.ts'
export {
  asWaybillError,
  isAfterFailure,
  isRefusedEntry,
  isRefusedValue,
  isUnmigrated,
  isUnprepared,
} from './faults.ts'
export { claimDatabase } from './installation.ts'
export { countWorkers, type KnownWorker, type Lease, openLease } from './lease.ts'
export { type PostgresHead, readPostgresHead } from './ledger/head.ts'
export { openPostgresLog, type PostgresLog } from './ledger/log.ts'
export {
  type MovedEntry,
  movePostgresLog,
  type PostgresMove,
} from './ledger/move.ts'
export { openPostgresLogReader } from './ledger/reader.ts'
export { snapshotPostgresLog } from './ledger/snapshot.ts'
export { findMissionsWith } from './mission-finding.ts'
export {
  type MissionArtifact,
  type MissionDecision,
  type MissionRun,
  type MissionSnapshot,
  type MissionTask,
  readObjectives,
  readSnapshot,
} from './mission-reading.ts'
export {
  lockMission,
  restoreDecisions,
  restoreOutputs,
  restoreRun,
  restoreTasks,
  restoreToolCalls,
} from './mission-restoring.ts'
export {
  listPipelineMissions,
  type PipelineMission,
  readPipelineMissionOnSameFile,
} from './pipeline-missions.ts'
export { beginningClient } from './preparing-client.ts'
export {
  type DeliveryOutcome,
  haveWorked,
  insertDecision,
  listAuthors,
  listProposals,
  listUnrecorded,
  noteEntry,
  type ProposalDecision,
  readProposal,
  type StoredDecision,
  type StoredProposal,
  type WhichProposal,
} from './proposals.ts'
export { endRests } from './rests.ts'
export { APPLICATION, DURABLE } from './roles.ts'
export {
  insertRun,
  listRuns,
  notifyWorkers,
  type Reason,
  type Run,
  type RunChange,
  type RunState,
  readRun,
  type TaskState,
  updateRun,
} from './runs.ts'
export { describeServer, type ServerState } from './server.ts'
export { Last, openStore, type Store } from './store.ts'
export {
  listOutputs,
  listProgress,
  readTaskGraph,
  type TaskEdge,
  type TaskGraph,
  type TaskNode,
  type TaskProgress,
} from './task-lists.ts'
export {
  countTasks,
  insertOutputs,
  listDependencies,
  type Output,
  readInputs,
  readStart,
  readTask,
  readTasksAfter,
  type StartOfTask,
} from './task-reading.ts'
export {
  type AnsweredBy,
  claimTask,
  dequeueTasks,
  insertTasks,
  letGraphsNameEachOther,
  queueDependents,
  queueUnblocked,
  requeueTasks,
  settleTasks,
  type TaskPlan,
  type TaskRun,
} from './tasks.ts'
export { databaseTime } from './time.ts'
export { insertToolCall, listToolRefs, type ToolCall } from './tool-calls.ts'
export type { Tx } from './tx.ts'
