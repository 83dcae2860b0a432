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
export { type Agent, type Agents, agentsOf, type Lock, type Manifest } from './agents.ts'
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
export { withoutPlaceholders } from './handoff-content.ts'
export { type ChecklistItem, checklistOf } from './handoff-document.v1/checklist.ts'
export { FRONTMATTER_KEYS } from './handoff-document.v1/frontmatter.ts'
export { type OpenItem, openItems } from './handoff-document.v1/open-items.ts'
export {
  CHECKLIST,
  CONTEXT,
  DECISIONS,
  EVIDENCE,
  NEXT_STEPS,
  OPEN_LOOPS,
  REQUIRED_SECTIONS,
  STANDING_RULES,
  SUMMARY,
} from './handoff-document.v1/sections.ts'
export { evidencePaths } from './handoff-evidence.ts'
export {
  fileNameOf as handoffFileNameOf,
  hasStampedName,
  instantOfName as instantOfHandoffName,
  isUnderHandoffs,
  packageOf as packageOfHandoff,
} from './handoff-file-name.ts'
export { hasNoteName, isHandoffContract, NOTE } from './handoff-kind.ts'
export { type HandoffSection, noteSections, offsetsWithin, titlesIn } from './handoff-outline.ts'
export {
  type HandoffPart,
  type HouseHeadings,
  partNear,
  partOf,
  REQUIRED_PARTS,
  USUAL_HEADINGS,
} from './handoff-parts.ts'
export { type HandoffPlace, sectionsOfNote } from './handoff-place.ts'
export { predecessorPlaces } from './handoff-predecessor.ts'
export {
  AGE_LIMITS,
  type AgeLimits,
  type Classification,
  changesSince,
  classifyStaleness,
  commitsSince,
  type Drift,
} from './handoff-staleness.ts'
export {
  type PlacedStatement,
  placeForRules,
  statementsInPart,
  statementsOf,
} from './handoff-statements.ts'
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
export { type SoundPart, soundPart } from './orchestration.v1/sound-part.ts'
export { normalPath, whyNotRelative } from './paths.ts'
export type { PolicyDecision } from './policy-decision.v1/schema.ts'
export { fileOf, isSameFile, readPrompt } from './prompt-files.ts'
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
  type StateChange,
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
export { type FoundProfile, initialState } from './session-state.v1/initial.ts'
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
export { verdictNamed } from './session-state.v1/verdicts.ts'
export {
  canonicalId,
  type Ending,
  endingNote,
  ID_LETTER,
  isPerson,
  LONGEST_PERSON,
  LONGEST_REASON,
  originNote,
  type StatementKind,
  statementFrom,
  withoutId,
} from './statements.ts'
export { CLOCK_SKEW } from './times.ts'
export { upgrades } from './upgrades.ts'
