/**
 * Session features: lineage, resuming, briefs, transitions of a session's state, and the figures of a
 * pipeline.
 *
 * May not print, and may write only the files it is asked to write.
 */

export {
  type CarriedItem,
  type CarryAnswer,
  type CarryOutcome,
  carryOver,
  entryOf,
  plainText,
} from './create/carry.ts'
export { carryStatements, type StatementAnswers } from './create/carry-statements.ts'
export { handoffFolder, handoffName, referenceTo, slugOf } from './create/handoff-place.ts'
export {
  bodyOf,
  contentOf,
  type HandoffContent,
  type HandoffSection,
  handoffText,
  withBody,
} from './create/handoff-text.ts'
export type { Drawing, NodeStatus } from './graph.ts'
export { layersOf } from './graph-layers.ts'
export { drawMermaid } from './graph-mermaid.ts'
export { drawSvg } from './graph-svg.ts'
export {
  type EndedStatement,
  type InForce,
  inForce,
  type StatementConflict,
  type StatementInForce,
} from './in-force.ts'
export { type LineageInForce, readAllInForce, readInForce } from './in-force-read.ts'
export { keepEnd } from './keep-end.ts'
export {
  ancestorsOf,
  type Lineage,
  lineageFactOf,
  lineOf,
  type Member,
  readLineage,
  statedTimeOf,
} from './lineage.ts'
export { LINEAGE_CODES } from './lineage-codes.ts'
export { familiesOf } from './lineage-families.ts'
export { isDraft, linkOf, readDocumentHead } from './lineage-head.ts'
export { findCircle, realPathOf, resolvePredecessor } from './lineage-links.ts'
export { problemsOf } from './lineage-problems.ts'
export { type NoteSections, notesAsSections } from './note-sections.ts'
export {
  addNote,
  endNote,
  type FoundNote,
  findNote,
  isNoteId,
  isNoteOf,
  type NewNote,
  type Note,
  type NoteEnd,
  type NoteKind,
  notePlace,
  readNotes,
  takeNotes,
} from './notes.ts'
export {
  agentAt,
  agentsIn,
  filesOf,
  findUnits,
  inStartingOrder,
  unitsOf,
} from './pipeline-address.ts'
export { PIPELINE_CODES } from './pipeline-codes.ts'
export { drawingOf, pipelineGraph, titleOf } from './pipeline-drawing.ts'
export { changesOf, refusalsOf } from './pipeline-move.ts'
export { notesOf } from './pipeline-notes.ts'
export { recordWrite } from './record-write.ts'
export {
  type CacheComparison,
  compareCache,
  type ReadCache,
  readCache,
} from './repository-cache.ts'
export { ENOUGH_FOR_FAST_PATH, evaluateFastPath, type FastPath } from './repository-fast-path.ts'
export { openRepository, type Repository } from './repository-files.ts'
export { isShaping } from './repository-manifests.ts'
export { CHOSEN, decideProfile, type ProfileDecision } from './repository-profile.ts'
export { readScope } from './repository-scope.ts'
export { gatherSignals } from './repository-signals.ts'
export { type Signature, signatureOf } from './repository-signature.ts'
export { type Resumer, recordRefusal, recordResume } from './resume-records.ts'
export { runCommand } from './run-command.ts'
export {
  SCORED_KINDS,
  type ScoredStatement,
  scoreText,
  standingAt,
} from './score.ts'
export { rulesAfterNewest, standingRules } from './standing-rules.ts'
export { carryOut, type Outcome } from './state/act.ts'
export { diagnosticOf } from './state/objection.ts'
export {
  checkStateText,
  openJudge,
  openStateFile,
  placeOf as placeOfState,
  type StateFile,
  stateFormat,
} from './state/state-file.ts'
export { findWaiting, writerOf } from './state/waiting.ts'
export { withoutTerminalCodes } from './terminal-codes.ts'
export {
  areRecordsTracked,
  findVerification,
  recordVerification,
  VERIFICATION,
} from './verification.ts'
