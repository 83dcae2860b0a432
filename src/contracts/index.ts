/**
 * The catalogue of contracts: one folder each, with data and rules only.
 *
 * Must not import another contract's folder (shared code is in the files next to them), and must not read files or
 * the clock.
 */
export { attestationOf } from './agent-handoff.v1/rules/boundaries.ts'
export { LONGEST_STRING } from './agent-handoff.v1/rules/content.ts'
export type { AgentHandoff } from './agent-handoff.v1/schema.ts'
export { promptFault, SIDES } from './agent-handoff.v1/verification.ts'
export {
  type Agent,
  type Agents,
  agentsOf,
  fileOf,
  isSameFile,
  type Lock,
  type Manifest,
  readPrompt,
} from './agents.ts'
export {
  contracts,
  contractsIn,
  findContract,
  hintForContract,
  loadContract,
  loadExplanations,
} from './catalogue.ts'
export { confidenceBand } from './confidence.ts'
export { missingRules, rulesIn } from './constraints.ts'
export { type ChecklistItem, checklistOf } from './handoff-document.v1/checklist.ts'
export {
  fileNameOf as handoffFileNameOf,
  instantOfName as instantOfHandoffName,
  packageOf as packageOfHandoff,
} from './handoff-document.v1/file-name.ts'
export { FRONTMATTER_KEYS } from './handoff-document.v1/frontmatter.ts'
export { itemsIn, type OpenItem, openItems } from './handoff-document.v1/open-items.ts'
export { predecessorPlaces } from './handoff-document.v1/predecessor.ts'
export { withoutPlaceholders } from './handoff-document.v1/rules/content.ts'
export { evidencePaths } from './handoff-document.v1/rules/evidence.ts'
export {
  CONTEXT,
  DECISIONS,
  EVIDENCE,
  NEXT_STEPS,
  OPEN_LOOPS,
  REQUIRED_SECTIONS,
  STANDING_RULES,
} from './handoff-document.v1/sections.ts'
export {
  type Classification,
  classifyStaleness,
  type Drift,
} from './handoff-document.v1/staleness.ts'
export {
  type PlacedStatement,
  placeForRules,
  statementsOf,
} from './handoff-document.v1/statements.ts'
export type { LibrarianPass } from './librarian-pass.v1/schema.ts'
export { otherEnds } from './line-ends.ts'
export type { MissionEnvelope } from './mission-envelope.v1/schema.ts'
export {
  type Artifact,
  artifactsOf,
  hasEnvelope,
  NO_MISSION,
  sharedFacts,
} from './mission-facts.ts'
export { missionIdIn } from './mission-id.ts'
export type { MissionTaskGraph } from './mission-task-graph.v1/schema.ts'
export { barriersOf } from './orchestration.v1/barriers.ts'
export { latestCheckpoints } from './orchestration.v1/checkpoints.ts'
export { isSequential } from './orchestration.v1/execution-mode.ts'
export { type Figure, figuresOf } from './orchestration.v1/figures.ts'
export { groupsOf } from './orchestration.v1/groups.ts'
export { outputsOf } from './orchestration.v1/inputs.ts'
export { inOrder } from './orchestration.v1/order.ts'
export {
  type PipelineProgress,
  progressOf,
  type State,
  type Unit,
} from './orchestration.v1/pipeline-progress.ts'
export { isToldByAgents } from './orchestration.v1/progress.ts'
export type { Orchestration } from './orchestration.v1/schema.ts'
export { soundPart } from './orchestration.v1/sound-part.ts'
export { normalPath, whyNotRelative } from './paths.ts'
export type { PolicyDecision } from './policy-decision.v1/schema.ts'
export type { PromptPackage } from './prompt-package.v1/schema.ts'
export { foldedPath, whyReserved } from './reserved.ts'
export type { ReviewPacket } from './review-packet.v1/schema.ts'
export {
  blockersOf,
  compatibilityOf,
  emptied,
  isTranslated,
  READ_VERSION,
  translated,
  withRules,
} from './session-context.v1/receiving.ts'
export type { SessionContext } from './session-context.v1/schema.ts'
export { decideAdvance, type Wish } from './session-state.v1/acts/advance.ts'
export type { Waiting } from './session-state.v1/acts/block.ts'
export { decideGate } from './session-state.v1/acts/gate.ts'
export {
  type MayWriteCode,
  mayWriteCode,
  whatFollows,
} from './session-state.v1/acts/next.ts'
export {
  type Basis as StateBasis,
  type Decision as StateDecision,
  isGuard,
  type Objection as StateObjection,
} from './session-state.v1/acts/objections.ts'
export { differences } from './session-state.v1/compare.ts'
export { type ConfidenceRubric, confidenceRubric } from './session-state.v1/confidence.ts'
export { ENOUGH } from './session-state.v1/confidence-scale.ts'
export {
  demandedForm,
  formOf,
  missingParts,
  partsFor,
} from './session-state.v1/forms.ts'
export { initialState } from './session-state.v1/initial.ts'
export { parseNext } from './session-state.v1/next.ts'
export { GATES, type Gate, PHASES, type Phase, type PhaseId } from './session-state.v1/phases.ts'
export { workflowDiagram } from './session-state.v1/picture.ts'
export { type Review, reviewNamed, reviewOf, reviewsRequired } from './session-state.v1/review.ts'
export {
  type StatedProfile,
  type StatedShortcuts,
  statedProfile,
  statedShortcuts,
} from './session-state.v1/stated.ts'
export { type RiskClass, type TicketRisk, ticketRisk } from './session-state.v1/ticket-risk.ts'
export { type Awaited, awaitedBy } from './session-state.v1/unblocked.ts'
export {
  canonicalId,
  type Ending,
  endingNote,
  ID_LETTER,
  originNote,
  type Statement,
  type StatementKind,
  statementFrom,
} from './statements.ts'
export { upgrades } from './upgrades.ts'
