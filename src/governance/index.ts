/**
 * Trust, keys, policies and gateways: which agent may hand off what, and the proof of it.
 *
 * *Trust* is the list of public keys in the committed `waybill.yaml`: the holder of each (an agent, a person, the
 * gateway or the log) and when it is valid. Nothing else vouches for a key: not the envelope it comes in, and not the
 * private half in `.waybill/keys`. *Keys* are those private halves; one signs only while trust lists it. A *person*
 * makes a statement with a proof, a signature by a key that trust lists for them, or as a bare claim.
 *
 * ```ts
 * const trust = readTrust(await loadConfig(root))   // throws on an invalid entry
 * const keys = openKeys(root, trust)
 * const signer = keys.signer('agent', 'domain-05-product', now)   // undefined without a valid key here
 * ```
 *
 * A *policy* restricts what the rules allow: `openPolicies` reads the built-in ones and those of the repository once,
 * and decides on facts that the rules computed. Any failure denies.
 *
 * Must not print or use SQL.
 */
export { auditLog, auditPromises } from './audit/audit.ts'
export { openTrusted } from './audit/checkpoint.ts'
export { AUDIT_CODES } from './audit/codes.ts'
export { auditEntry } from './audit/entry.ts'
export { Keyring } from './audit/keyring.ts'
export type { ReceiptGiven } from './audit/receipt.ts'
export type { LogAudit } from './audit/report.ts'
export { type AuditTrust, auditTrustIn, auditTrustOf, requireLogKey } from './audit/trust.ts'
export { digestBytes } from './digest.ts'
export { type AsRecorded, isAsRecorded, mustBeAsRecorded } from './entries/as-recorded.ts'
export { keysIn, keysOf, type ReadEntry, readEntry } from './entries/entry.ts'
export { findErasure } from './entries/erased.ts'
export { inspectEntry, isByGateway } from './entries/inspect.ts'
export { contentAt, entryAt, indicesOf } from './entries/lookup.ts'
export type { Predicate, Predicates } from './entries/predicates.ts'
export { storedAt } from './entries/stored.ts'
export { type EntrySummary, summaryOf, thereAgain } from './entries/summary.ts'
export { ENVELOPE_CODES } from './envelope/codes.ts'
export type { EnvelopeText } from './envelope/verify.ts'
export {
  erasureText,
  putTombstone,
  recordErasure,
  refuseKept,
  removeRecordFiles,
  summaryIn,
} from './erasure/erasure.ts'
export { findLog, findLogToVerify, refuseGone } from './gateway/find-log.ts'
export {
  type Gateway,
  openGateway,
} from './gateway/gateway.ts'
export { guardFiles } from './gateway/guards.ts'
export { recordKeyChanges } from './gateway/key-changes.ts'
export {
  logWriting,
  openLogReader,
  type RevokedHead,
  revokedHead,
  verifiersOf,
} from './gateway/log.ts'
export { logHere } from './gateway/log-here.ts'
export { BRING_KEYS, otherKeys } from './gateway/no-keys.ts'
export { type OtherLogs, otherLogs } from './gateway/other-logs.ts'
export { copyOf, OWN_LOG, originalOf, refuseCopy } from './gateway/place.ts'
export { quarantineIn } from './gateway/quarantine.ts'
export { setLogAside } from './gateway/set-aside.ts'
export {
  checkpointOf,
  fileStorage,
  hasOpenFiles,
  isMovedAway,
  type LogHead,
  type LogStorage,
  ledgerFolder,
  lockOf,
} from './gateway/storage.ts'
export {
  type Approvable,
  approvableIn,
  approvalText,
  recordApproval,
  waitingUnder,
} from './handoff/approve.ts'
export { type ReadHandoff, readHandoff } from './handoff/check.ts'
export { claimsOf } from './handoff/claims.ts'
export { GATEWAY_CODES } from './handoff/codes.ts'
export { committedEvidence, uncommitted } from './handoff/committed-evidence.ts'
export { openDecisionContext } from './handoff/decision-context.ts'
export { ownHashes } from './handoff/evidence.ts'
export { type GovernanceFiles, openGovernanceFiles } from './handoff/governance-files.ts'
export type { DecisionContext } from './handoff/judge.ts'
export type { Passage } from './handoff/passage.ts'
export { policyEvidence } from './handoff/policy.ts'
export { type Quarantined, quarantineOf, quarantineSeen } from './handoff/quarantine.ts'
export {
  type Reconciliation,
  reconciliationText,
  recordReconciliation,
} from './handoff/reconcile.ts'
export {
  type KeyChange,
  planRevocation,
  type Revocation,
  type Rotation,
  rotateKey,
} from './keys/change.ts'
export { type FirstKeys, holdersText, makeFirstKeys, planKeys } from './keys/first-keys.ts'
export { keysFolder } from './keys/key-files.ts'
export { type Keys, openKeys, whyUnusableKey } from './keys/open-keys.ts'
export { openWitnessKey } from './keys/witness-key.ts'
export {
  diffLocks,
  LOCK_CODES,
  LOCKFILE_VERSION,
  type LockCode,
  type LockDiff,
  lockText,
  nextLock,
  openPromptFiles,
  type PromptFiles,
} from './lock/index.ts'
export { requirePerson } from './people/person.ts'
export {
  agentsNotCompared,
  type DataRequest,
  type DecisionArtifact,
  type Determining,
  decisionArtifact,
  describeDecision,
  type HandoffRequest,
  type Inspected,
  inspectPolicies,
  openPolicies,
  openPoliciesClosed,
  POLICY_CODES,
  type Policies,
  type Policy,
  type PolicyAgent,
  type PolicyFault,
  type PolicyOutcome,
  readConfigured,
  readPolicyFolder,
  type ToolRequest,
  unknownAgents,
  type WriteBackRequest,
} from './policy/index.ts'
export {
  type RuleRefusal,
  recordedErrors,
  recordedFacts,
  recordedOutcome,
  recordedRefusal,
} from './policy/recorded.ts'
export { receive } from './receive/receive.ts'
export { EMPTY_STATE, NO_TRAIL } from './send/complete.ts'
export { type Sent as SentHandoff, send } from './send/send.ts'
export { type TraceStep, traceOf } from './trace/trace.ts'
export type { Holder } from './trust/holder.ts'
export { logKeyText } from './trust/log-key.ts'
export { readTrust, standing, type Trust, type TrustedKey } from './trust/trust.ts'
export { openTrustFile } from './trust/trust-file.ts'
export { type EntryKind, KINDS, predicateTypeOf } from './urn.ts'
export { WITNESS_CODES, type WitnessCode } from './witness/codes.ts'
export {
  type AskedOne,
  gatherCosignatures,
  type Witnessed,
  witnessesOf,
} from './witness/gather.ts'
export { readyKept } from './witness/kept.ts'
export { witnessedLogs } from './witness/logs.ts'
export { openMemory } from './witness/memory.ts'
export { readWitnessPolicy } from './witness/policy-file.ts'
export { recordFork } from './witness/record-fork.ts'
export { listen } from './witness/server.ts'
export { type Fork, Witness, type WitnessReply } from './witness/witness.ts'
