/**
 * The catalogue: every contract that Waybill knows, a folder each, data and rules only.
 *
 * May not import another contract's folder (what several share is a file beside them); read files or the clock.
 */
export {
  contracts,
  contractsIn,
  findContract,
  loadContract,
  loadExplanations,
} from './catalogue.ts'
export { confidenceBand } from './confidence.ts'
export type {
  Example,
  Explanation,
  Printed,
  Sentence,
} from './explanation.ts'
export { predecessorPlaces } from './handoff-document.v1/predecessor.ts'
export {
  classifyStaleness,
  type Drift,
} from './handoff-document.v1/staleness.ts'
export { type ConfidenceRubric, confidenceRubric } from './session-state.v1/confidence.ts'
export { PHASES } from './session-state.v1/phases.ts'
