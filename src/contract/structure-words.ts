import type { Path } from '../document/index.ts'
import type { Fields, Schema } from './contract.ts'
import { isInTypographicQuotes, meantBy, remedyFor, timeRemedy } from './meant.ts'
import { counted, kindOf, LONGEST, listed, nearest, quote } from './wording.ts'

/** What is wrong, and what to do about it. */
export type Words = { message: string; hint?: string }

export interface Fault {
  readonly value: unknown
  readonly params: Fields
  readonly path: Path
  readonly schema: Schema | undefined
}

/** Describes a value. A YAML key without a value is null, so null is shown as empty. */
const shown = (value: unknown): string => (value === null ? 'an empty value' : quote(value))

const refused = (value: unknown): Words => ({ message: `${shown(value)} is not allowed here` })

/** The words for a value that a keyword of its schema rejects. */
export function wordsFor(keyword: string, fault: Fault): Words {
  const words = WORDS[keyword]?.(fault) ?? refused(fault.value)
  return isInTypographicQuotes(fault.value)
    ? {
        message: words.message,
        hint: 'use straight quotes or none: typographic quotes are part of the text',
      }
    : words
}

const WORDS: Record<string, (fault: Fault) => Words> = {
  type: ({ value, params, path, schema }) => {
    const types = namesOf(params.type)
    const remedy = remedyFor(value, types, schema)
    return withHint(
      `${nameOf(path)} must be ${expected(types)}, not ${typeof value === 'number' ? String(value) : kindOf(value)}`,
      remedy === undefined
        ? schema?.description && `expected: ${lower(schema.description)}`
        : `${remedy}${about(schema)}`,
    )
  },
  enum: ({ value, params: { allowedValues }, schema }) => {
    const allowed = (allowedValues as unknown[]).map(String)
    const meant = typeof value === 'string' ? nearest(value, allowed) : undefined
    const choices =
      allowed.length > 12 ? `${allowed.slice(0, 12).join(', ')} …` : listed(allowed, 'or')
    return {
      message: `${shown(value)} is not one of the allowed values`,
      hint: meant
        ? `did you mean '${meant}'? Allowed: ${choices}`
        : `write ${choices}${about(schema)}`,
    }
  },
  const: ({ value, params: { allowedValue } }) => ({
    message: `expected ${quote(allowedValue)}, found ${shown(value)}`,
    hint: `write ${JSON.stringify(allowedValue)}`,
  }),
  pattern: ({ value, params, schema }) => {
    if (isNoDay(String(value), String(params.pattern)))
      return {
        message: `${quote(value)} is not a calendar date`,
        hint: 'write a date that exists',
      }
    const time = timeRemedy(String(value), new RegExp(String(params.pattern), 'u'))
    const example = beginning(String(value), String(params.pattern)) ?? schema?.examples?.[0]
    if (time) return { message: `${quote(value)} does not have the required form`, hint: time }
    const hint =
      example === undefined
        ? schema?.description && lower(schema.description)
        : `write it like ${quote(example)}${about(schema)}`
    return withHint(`${quote(value)} does not have the required form`, hint)
  },
  minimum: ({ value, params: { limit } }) => ({
    message: `${quote(value)} is below ${limit}`,
    hint: `use ${limit} or more`,
  }),
  maximum: ({ value, params: { limit }, schema }) => {
    const isShare = limit === 1 && schema?.type === 'number' && Number(value) >= 10
    const share = isShare ? meantBy(value, ['number'], schema) : undefined
    const percent = share === undefined ? '' : `; write ${value} percent as ${share}`
    return {
      message: `${quote(value)} is above ${limit}`,
      hint: `use ${limit} or less${percent}`,
    }
  },
  minLength: ({ params: { limit } }) =>
    limit === 1
      ? {
          message: 'the text is empty',
          hint: 'write a text, or remove the key if it is optional',
        }
      : { message: `the text is shorter than ${counted(Number(limit), 'character')}` },
  maxLength: ({ value, params: { limit } }) => ({
    message: `the text has ${counted([...String(value)].length, 'character')}, more than ${limit}`,
    hint: 'shorten it or move details elsewhere',
  }),
  minItems: ({ value, params: { limit } }) => ({
    message: `the list has ${counted((value as unknown[]).length, 'entry', 'entries')}, fewer than ${limit}`,
    hint: `add ${limit === 1 ? 'at least one' : `entries until there are ${limit}`}`,
  }),
  maxItems: ({ value, params: { limit } }) => ({
    message: `the list has ${counted((value as unknown[]).length, 'entry', 'entries')}, more than ${limit}`,
  }),
  uniqueItems: ({ params: { i, j } }) => ({
    message: `entries ${j} and ${i} are the same`,
    hint: 'keep one of them',
  }),
}

/** The name of a part: its key, or its number in a list. */
function nameOf(path: Path): string {
  const last = path.at(-1)
  if (last === undefined) return 'the document'
  if (typeof last === 'string') return quote(last)
  const list = path.findLast(key => typeof key === 'string')
  return list === undefined ? `entry ${last + 1}` : `entry ${last + 1} of ${quote(list)}`
}

/** The start of a value that matches the pattern, if only the rest is too much. */
function beginning(value: string, pattern: string): string | undefined {
  const open = pattern.replace(/\(\?!\[\\s\\S\]\)$/, '')
  if (open === pattern || value.length > LONGEST) return undefined
  const found = new RegExp(open, 'u').exec(value)?.[0]
  // Cut only at a hyphen: without its last digit, an id is another id.
  return found && value[found.length] === '-' && new RegExp(pattern, 'u').test(found)
    ? found
    : undefined
}

/** Whether a time would match if its day existed. */
function isNoDay(value: string, pattern: string): boolean {
  const day = /^[0-9]{4}-[0-9]{2}-[0-9]{2}(?=T|(?![\s\S]))/
  return day.test(value) && new RegExp(pattern, 'u').test(value.replace(day, '2000-01-01'))
}

function namesOf(type: unknown): string[] {
  return Array.isArray(type) ? type.map(String) : String(type).split(',')
}

function expected(types: readonly string[]): string {
  const names: Record<string, string> = {
    integer: 'a whole number',
    array: 'a list',
    object: 'an object',
    null: 'null',
  }
  return listed(
    types.map(t => names[t] ?? `a ${t}`),
    'or',
  )
}

function about(schema?: Schema): string {
  return schema?.description ? ` (${lower(schema.description)})` : ''
}

function withHint(message: string, hint: string | undefined): Words {
  return hint ? { message, hint } : { message }
}

/** A description as the rest of a sentence. */
export function lower(sentence: string): string {
  return sentence.replace(/^[A-Z](?![A-Z])/, c => c.toLowerCase()).replace(/\.$/, '')
}
