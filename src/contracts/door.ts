import type { Contract, LoadedContract } from '../contract/index.ts'
import { contracts, loadExplanations as explain, loadContract as load } from './catalogue.ts'
import type { Explanations } from './explanation.ts'

/** The contracts as the published package exposes them in `waybill/contracts`, without TypeBox types. */
export { contracts, contractsIn, findContract } from './catalogue.ts'
export { confidenceBand } from './confidence.ts'
export type { Example, Explanation, Printed, Sentence } from './explanation.ts'
export { predecessorPlaces } from './handoff-predecessor.ts'
export { classifyStaleness, type Drift } from './handoff-staleness.ts'
export { type ConfidenceRubric, confidenceRubric } from './session-state.v1/confidence.ts'
export { PHASES } from './session-state.v1/phases.ts'

/** Loads a contract's structure check, rules and schema; once per process, deeply frozen. */
export async function loadContract(contract: Contract): Promise<LoadedContract> {
  return frozen(await load(contract))
}

/** Loads the explanations of a contract's rules, without what checking needs. */
export async function loadExplanations(contract: Contract): Promise<Explanations> {
  return frozen(await explain(contract))
}

frozen(contracts)

function frozen<T>(value: T): T {
  if (!isData(value) || Object.isFrozen(value)) return value
  Object.freeze(value)
  for (const part of Object.values(value)) frozen(part)
  return value
}

/** Leave other objects alone: a regular expression, for example, changes while it is used. */
function isData(value: unknown): value is object {
  if (typeof value !== 'object' || value === null) return false
  return Array.isArray(value) || Object.getPrototypeOf(value) === Object.prototype
}
