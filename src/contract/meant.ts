import type { Schema } from './contract.ts'

const WORDS: ReadonlyMap<string, boolean> = new Map([
  ...['true', 'yes', 'on'].map(word => [word, true] as const),
  ...['false', 'no', 'off'].map(word => [word, false] as const),
])

/** The boolean or number that a value of another type probably means: `yes`, `"85"`, or 0.85 as a percentage. */
export function meantBy(
  value: unknown,
  types: readonly string[],
  { minimum = Number.NEGATIVE_INFINITY, maximum = Number.POSITIVE_INFINITY }: Schema = {},
): boolean | number | undefined {
  const text = typeof value === 'string' ? value.trim() : value
  const isPercent = typeof text === 'string' && text.endsWith('%')
  if (types.includes('boolean') && typeof text === 'string') return WORDS.get(text.toLowerCase())
  if (!types.includes('integer') && !types.includes('number')) return undefined
  const number = typeof text === 'number' ? text : numberIn(text)
  if (number === undefined) return undefined
  // Digits beyond 15 are rounding errors: 0.57 / 100 is 0.005699999999999999.
  const scaled = maximum === 100 ? Math.round(number * 100) : Number((number / 100).toPrecision(15))
  const fits = (n: number) =>
    n >= minimum && n <= maximum && (types.includes('number') || Number.isInteger(n))
  // A percent sign is explicit: scale the number where 1 is the whole, else keep it.
  const [mayStay, mayScale] = isPercent
    ? [maximum !== 1, maximum === 1]
    : [true, maximum === 100 || maximum === 1]
  if (mayStay && fits(number)) return number
  return mayScale && fits(scaled) ? scaled : undefined
}

/** Ambiguous: `10,000` and `10.000` are ten or ten thousand, depending on the locale. */
const IN_THOUSANDS = /^-?[1-9][0-9]{0,2}(?:,[0-9]{3}|\.000) ?%?$/

/** The number in a text, also with a decimal comma or a percent sign. */
function numberIn(text: unknown): number | undefined {
  if (typeof text !== 'string' || IN_THOUSANDS.test(text)) return undefined
  return /^-?[0-9]{1,15}(?:[.,][0-9]{1,15})? ?%?$/.test(text)
    ? Number(text.replace(',', '.').replace(/ ?%$/, ''))
    : undefined
}

/** The hint for a value of the wrong type whose intention is clear. */
export function remedyFor(
  value: unknown,
  types: readonly string[],
  schema: Schema = {},
): string | undefined {
  const plain = meantBy(value, types, schema)
  if (plain !== undefined) return `write ${plain}${isQuoted(value, plain) ? ' without quotes' : ''}`
  if (types.includes('string') && (typeof value === 'number' || typeof value === 'boolean'))
    return asText(String(value), schema)
  return types.includes('array') ? asList(value, schema.items) : undefined
}

/** Whether removing quotes suffices; YAML 1.1 booleans and percentages need another spelling. */
function isQuoted(value: unknown, plain: boolean | number): boolean {
  if (typeof value !== 'string') return false
  return typeof plain === 'number'
    ? !value.endsWith('%')
    : value.trim().toLowerCase() === String(plain)
}

/** For a number or boolean in place of a string: YAML reads `1.0` and `true` as such. */
function asText(text: string, schema: Schema): string | undefined {
  if (schema.const !== undefined) return `write ${JSON.stringify(schema.const)}`
  if (schema.enum) return schema.enum.includes(text) ? 'put it in quotes' : undefined
  if (!schema.pattern || new RegExp(schema.pattern, 'u').test(text)) return 'put it in quotes'
  const example = schema.examples?.[0]
  return example === undefined ? undefined : `write it like '${example}'`
}

const NOTHING = /^(?:none|nothing|no|n\/a|-|)$/i

/** For a single value in place of a list. */
function asList(value: unknown, entry: Schema = {}): string | undefined {
  if (typeof value === 'string') {
    if (NOTHING.test(value.trim())) return 'write [] for an empty list'
    const isText = entry.type === undefined || entry.type === 'string'
    return isText ? 'put it in brackets, as a list of one' : undefined
  }
  if (typeof value !== 'object' || value === null) return undefined
  const keys = Object.keys(value)
  if (keys.some(key => /^-\w/.test(key))) return 'write a space after the dash of each entry'
  return entry.required?.some(key => keys.includes(key))
    ? 'make it a list of one: in brackets, or in YAML with a dash and a space before its first key'
    : undefined
}

/** Whether a word processor has put typographic quotes around a value; YAML reads them as part of it. */
export function isInTypographicQuotes(value: unknown): boolean {
  return typeof value === 'string' && /^[“”„‟«»‘’‚].*[“”„‟«»‘’‚]$/su.test(value)
}

const NEARLY_A_TIME =
  /^([0-9-]{10})(?:[Tt ]([0-9]{2}:[0-9]{2})(:[0-9]{2})?(?:[.,]([0-9]{1,9}))?)? ?(z|Z|UTC|[+-][0-9]{2}(?::?[0-9]{2})?)?$/

/** The hint that completes an incomplete time. */
export function timeRemedy(text: string, form: RegExp): string | undefined {
  const [, day, clock = '09:30', seconds = ':00', part, zone] = NEARLY_A_TIME.exec(text) ?? []
  const offset = zone?.replace(/^[^+-].*/, 'Z').replace(/^(...):?(..)?$/, '$1:$2') ?? 'Z'
  const time = `${day}T${clock}${seconds}${part ? `.${part}` : ''}${offset.replace(/:$/, ':00')}`
  if (day === undefined || !form.test(time)) return undefined
  if (!text.includes(clock)) return `add the time of day and its zone, as in '${time}'`
  return zone
    ? `write '${time}'`
    : `add its zone: '${time}' if it is UTC, else an offset such as +01:00`
}
