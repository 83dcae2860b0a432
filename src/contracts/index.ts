/**
 * The catalogue: every contract that Waybill knows, a folder each, data and rules only.
 *
 * May not import another contract's folder (what several share is a file beside them); read files or the clock.
 */
export { contracts, findContract, loadContract } from './catalogue.ts'
