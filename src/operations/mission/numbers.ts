import { WaybillError } from '../../error.ts'

/** The numbers that one input of a verb may have. */
export interface NumberInput {
  readonly flag: string
  readonly most: number
}

/** How many tasks one worker does at once. */
export const CONCURRENCY_INPUT = { flag: '--concurrency', most: 1000 } as const
/** A year of seconds: what takes longer is no mission, but a service. */
export const TIME_BUDGET_INPUT = { flag: '--time-budget', most: 31_536_000 } as const
/** Sums of it stay exact. */
export const TOKEN_BUDGET_INPUT = { flag: '--token-budget', most: 1_000_000_000_000 } as const

/** Thirty days: who approved it should still know what it was about. */
export const HOURS_INPUT = { flag: '--hours', most: 720 } as const

/** How a help text names the range of a number. */
export function rangeOf({ most }: NumberInput): string {
  return `from 1 to ${most}`
}

/**
 * The number that was given, if it is a whole one in its range.
 *
 * @throws WaybillError `usage`, which names the range.
 */
export function numberIn(input: NumberInput, given: number): number
export function numberIn(input: NumberInput, given: number | undefined): number | undefined
export function numberIn(input: NumberInput, given: number | undefined): number | undefined {
  if (given === undefined) return undefined
  if (Number.isSafeInteger(given) && given >= 1 && given <= input.most) return given
  throw new WaybillError('usage', `${input.flag} is a whole number ${rangeOf(input)}`)
}
