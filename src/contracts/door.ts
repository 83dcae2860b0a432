/** What the published package shows of the contracts, as `waybill/contracts`: only what needs no types of TypeBox. */
export {
  contracts,
  contractsIn,
  findContract,
  loadContract,
  loadExplanations,
} from './catalogue.ts'
export { confidenceBand } from './confidence.ts'
export type { Example, Explanation, Printed, Sentence } from './explanation.ts'
export { predecessorPlaces } from './handoff-document.v1/predecessor.ts'
export { classifyStaleness, type Drift } from './handoff-document.v1/staleness.ts'
export { type ConfidenceRubric, confidenceRubric } from './session-state.v1/confidence.ts'
export { PHASES } from './session-state.v1/phases.ts'
