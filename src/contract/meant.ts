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
  const isPercent = typeof text === 'string' && text.endsWith('%')
  if (types.includes('boolean') && typeof text === 'string') return WORDS.get(text.toLowerCase())
  if (!types.includes('integer') && !types.includes('number')) return undefined
  const number = typeof text === 'number' ? text : numberIn(text)
  if (number === undefined) return undefined
  // Beyond 15 digits there is only what the division added: 0.57 / 100 is 0.005699999999999999.
  const scaled = maximum === 100 ? Math.round(number * 100) : Number((number / 100).toPrecision(15))
  const fits = (n: number) =>
    n >= minimum && n <= maximum && (types.includes('number') || Number.isInteger(n))
  // With its sign a percentage is no guess: scaled where 1 is the whole, and as it stands elsewhere.
  const [mayStay, mayScale] = isPercent
    ? [maximum !== 1, maximum === 1]
    : [true, maximum === 100 || maximum === 1]
  if (mayStay && fits(number)) return number
  return mayScale && fits(scaled) ? scaled : undefined
}

/** Ten thousand to one author and ten to another: `10,000`, `10.000`. */
const IN_THOUSANDS = /^-?[1-9][0-9]{0,2}(?:,[0-9]{3}|\.000) ?%?$/

/** The number of a text, also with a decimal comma or as so many percent. */
function numberIn(text: unknown): number | undefined {
  if (typeof text !== 'string' || IN_THOUSANDS.test(text)) return undefined
  return /^-?[0-9]{1,15}(?:[.,][0-9]{1,15})? ?%?$/.test(text)
    ? Number(text.replace(',', '.').replace(/ ?%$/, ''))
    : undefined
}

/** What to do with a value of the wrong type, where its author's intention can be told. */
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

/** Whether a text only has to lose its quotes; words of YAML 1.1 for true and false, and percent, may have none. */
function isQuoted(value: unknown, plain: boolean | number): boolean {
  if (typeof value !== 'string') return false
  return typeof plain === 'number'
    ? !value.endsWith('%')
    : value.trim().toLowerCase() === String(plain)
}

/** For a number or a boolean where a text belongs: YAML takes `1.0` and `true` for what they look like. */
function asText(text: string, schema: Schema): string | undefined {
  if (schema.const !== undefined) return `write ${JSON.stringify(schema.const)}`
  if (schema.enum) return schema.enum.includes(text) ? 'put it in quotes' : undefined
  if (!schema.pattern || new RegExp(schema.pattern, 'u').test(text)) return 'put it in quotes'
  const example = schema.examples?.[0]
  return example === undefined ? undefined : `write it like '${example}'`
}

const NOTHING = /^(?:none|nothing|no|n\/a|-|)$/i

/** For what stands alone where a list belongs. */
function asList(value: unknown, entry: Schema = {}): string | undefined {
  if (typeof value === 'string') {
    if (NOTHING.test(value.trim())) return 'write [] where there is nothing'
    const isText = entry.type === undefined || entry.type === 'string'
    return isText ? 'put it in brackets, as a list of one' : undefined
  }
  if (typeof value !== 'object' || value === null) return undefined
  const keys = Object.keys(value)
  if (keys.some(key => /^-\w/.test(key))) return 'write a space behind the dash of each entry'
  return entry.required?.some(key => keys.includes(key))
    ? 'make it a list of one: in brackets, or in YAML with a dash and a space before its first key'
    : undefined
}

/** Whether a word processor has put a value into quotes that YAML takes for letters. */
export function isInTypographicQuotes(value: unknown): boolean {
  return typeof value === 'string' && /^[“”„‟«»‘’‚].*[“”„‟«»‘’‚]$/su.test(value)
}

const NEARLY_A_TIME =
  /^([0-9-]{10})(?:[Tt ]([0-9]{2}:[0-9]{2})(:[0-9]{2})?(?:[.,]([0-9]{1,9}))?)? ?(z|Z|UTC|[+-][0-9]{2}(?::?[0-9]{2})?)?$/

/** What a text lacks that would be a time of the required form with it. */
export function timeRemedy(text: string, form: RegExp): string | undefined {
  const [, day, clock = '09:30', seconds = ':00', part, zone] = NEARLY_A_TIME.exec(text) ?? []
  const offset = zone?.replace(/^[^+-].*/, 'Z').replace(/^(...):?(..)?$/, '$1:$2') ?? 'Z'
  const time = `${day}T${clock}${seconds}${part ? `.${part}` : ''}${offset.replace(/:$/, ':00')}`
  if (day === undefined || !form.test(time)) return undefined
  if (!text.includes(clock)) return `add the time of the day and its zone, as in '${time}'`
  return zone
    ? `write '${time}'`
    : `add its zone: '${time}' if it is UTC, else an offset such as +01:00`
}
