import {
  type Fields,
  type MissingPart,
  missingParts,
  type Schema,
  spelled,
} from '../../contract/index.ts'
import { formatPointer, type Path } from '../../document/index.ts'
import type { App } from '../operation.ts'

type Ask = NonNullable<App['ask']>

/** How often a question is repeated. */
const MOST_TRIES = 3
const MOST_ENTRIES = 100

/** Asks for every missing part; unanswered parts stay missing. */
export async function askForParts(schema: Schema, value: Fields, ask: Ask): Promise<Fields> {
  let filled = value
  for (const part of missingParts(schema, value)) {
    const answer = await askForPart(part, ask)
    if (answer !== undefined) filled = withPart(filled, part.path, answer) as Fields
  }
  return filled
}

async function askForPart({ path, schema }: MissingPart, ask: Ask): Promise<unknown> {
  if (isTextList(schema)) {
    const entries = await askForList(`${formatPointer(path)}: ${text(schema)}`, ask)
    return entries.length > 0 ? entries : undefined
  }
  const choices = schema.enum ? ` (${schema.enum.join(', ')})` : ''
  const form = isCollection(schema) ? ' (as JSON)' : choices
  for (let tries = 0; tries < MOST_TRIES; tries++) {
    const answer = await ask(`${formatPointer(path)}: ${text(schema)}${form}\n> `)
    if (answer === '') return undefined
    const read = readAnswer(answer, schema)
    if (read !== undefined) return read
  }
  return undefined
}

/** Asks for entries until an empty one. */
export async function askForList(question: string, ask: Ask): Promise<string[]> {
  const entries: string[] = []
  while (entries.length < MOST_ENTRIES) {
    const lead =
      entries.length === 0
        ? `${spelled(question)} (one per line; an empty line ends the list)\n`
        : ''
    const entry = await ask(`${lead}${entries.length + 1}> `)
    if (entry === '') break
    entries.push(entry)
  }
  return entries
}

/** Converts an answer to the type of the field; `undefined` when it does not fit. */
function readAnswer(answer: string, schema: Schema): unknown {
  const types = [schema.type ?? 'string'].flat()
  if (schema.enum) return schema.enum.find(choice => String(choice) === answer)
  if (types.includes('string')) return answer
  try {
    const value: unknown = JSON.parse(answer)
    return fits(value, types) ? value : undefined
  } catch {
    return undefined
  }
}

function fits(value: unknown, types: readonly string[]): boolean {
  if (Array.isArray(value)) return types.includes('array')
  if (typeof value === 'number') return types.includes('number') || types.includes('integer')
  return value !== null && types.includes(typeof value)
}

function isTextList({ type, items }: Schema): boolean {
  return type === 'array' && items?.type === 'string'
}

function isCollection({ type }: Schema): boolean {
  return type === 'array' || type === 'object'
}

function text({ description = 'value of this field' }: Schema): string {
  return description.replace(/\.$/, '')
}

/** Returns the value with one part set; missing objects are created. */
export function withPart(value: unknown, [key, ...rest]: Path, part: unknown): unknown {
  if (key === undefined) return part
  if (Array.isArray(value))
    return value.map((entry, i) => (i === key ? withPart(entry, rest, part) : entry))
  const fields = isFields(value) ? value : {}
  const inner = Object.hasOwn(fields, key) ? fields[key] : undefined
  return Object.fromEntries([
    ...Object.entries(fields).filter(([k]) => k !== key),
    [key, withPart(inner, rest, part)],
  ])
}

function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
