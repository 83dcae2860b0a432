const DECIMAL = /^(?:0|[1-9][0-9]{0,15})$/

/** Parses a size or an index in C2SP form: ASCII digits, no leading zeroes, at most 2^53 - 1. */
export function parseDecimal(text: string): number | undefined {
  if (!DECIMAL.test(text)) return undefined
  const value = Number(text)
  return Number.isSafeInteger(value) ? value : undefined
}
