import { WaybillError } from '../../error.ts'

/** The flag and upper limit of a numeric input. */
export interface NumberInput {
  readonly flag: string
  readonly most: number
}

/** How many tasks one worker runs at once. */
export const CONCURRENCY_INPUT = { flag: '--concurrency', most: 1000 } as const
/** At most one year, in seconds. */
export const TIME_BUDGET_INPUT = { flag: '--time-budget', most: 31_536_000 } as const
/** The limit keeps sums exact. */
export const TOKEN_BUDGET_INPUT = { flag: '--token-budget', most: 1_000_000_000_000 } as const

/** At most thirty days. */
export const HOURS_INPUT = { flag: '--hours', most: 720 } as const

/** Returns the range of a number for help texts. */
export function rangeOf({ most }: NumberInput): string {
  return `from 1 to ${most}`
}

/**
 * Returns the given number when it is an integer in range.
 *
 * @throws {WaybillError} 'usage' when it is not; the message names the range.
 */
export function numberIn(input: NumberInput, given: number): number
export function numberIn(input: NumberInput, given: number | undefined): number | undefined
export function numberIn(input: NumberInput, given: number | undefined): number | undefined {
  if (given === undefined) return undefined
  if (Number.isSafeInteger(given) && given >= 1 && given <= input.most) return given
  throw new WaybillError('usage', `${input.flag} must be a whole number ${rangeOf(input)}`)
}
