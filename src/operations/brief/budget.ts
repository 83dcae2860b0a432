import { WaybillError } from '../../error.ts'
import { LEAST_BUDGET } from './fit.ts'

/** The default size of a brief, in tokens. */
export const USUAL_BUDGET = 4000

/** @throws {WaybillError} 'usage' when a budget is too small for any brief. */
export function mustSuffice(budget: number): void {
  if (Number.isSafeInteger(budget) && budget >= LEAST_BUDGET) return
  throw new WaybillError('usage', `a brief needs a budget of at least ${LEAST_BUDGET} tokens`)
}
