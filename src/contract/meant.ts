import type { Schema } from './contract.ts'

const WORDS: ReadonlyMap<string, boolean> = new Map([
  ...['true', 'yes', 'on'].map(word => [word, true] as const),
  ...['false', 'no', 'off'].map(word => [word, false] as const),
])

/** The boolean or the number that a value of another type was probably meant for: `yes`, `"85"`, or 0.85 in percent. */
export function meantBy(
  value: unknown,
  types: readonly string[],
  { minimum = Number.NEGATIVE_INFINITY, maximum = Number.POSITIVE_INFINITY }: Schema = {},
): boolean | number | undefined {
  const text = typeof value === 'string' ? value.trim() : value
  if (types.includes('boolean') && typeof text === 'string') return WORDS.get(text.toLowerCase())
  if (!types.includes('integer') && !types.includes('number')) return undefined
  const number = typeof text === 'number' ? text : numberIn(text)
  if (number === undefined) return undefined
  const scaled = maximum === 100 ? Math.round(number * 100) : number / 100
  const fits = (n: number) =>
    n >= minimum && n <= maximum && (types.includes('number') || Number.isInteger(n))
  if (fits(number)) return number
  return (maximum === 100 || maximum === 1) && fits(scaled) ? scaled : undefined
}

function numberIn(text: unknown): number | undefined {
  return typeof text === 'string' && /^-?[0-9]{1,15}(?:\.[0-9]{1,15})?$/.test(text)
    ? Number(text)
    : undefined
}

/** Whether a text only has to lose its quotes; words of YAML 1.1 for true and false may have none. */
export function isQuoted(value: unknown, plain: boolean | number | undefined): boolean {
  if (typeof value !== 'string') return false
  return typeof plain === 'number' || value.trim().toLowerCase() === String(plain)
}
