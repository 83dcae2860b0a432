import { type Path, parsePointer } from '../document/index.ts'
import type { Fields, LoadedContract, Schema, StructureError } from './contract.ts'
import type { Finding, Severity } from './diagnostic.ts'
import { isQuoted, meantBy } from './meant.ts'
import { counted, kindOf, LONGEST, listed, nearest, quote } from './wording.ts'

/** A structural fault: a finding with its own severity, since an unknown key weighs what its schema says. */
export interface StructureFinding extends Finding {
  readonly code: string
  readonly severity: Severity
}

/**
 * Everything about a value that its schema refuses, worded for people.
 *
 * Codes are `schema/<JSON Schema keyword in kebab-case>`. Where a value has the wrong type, what follows from that
 * is left out. Unknown keys follow `additionalProperties` of the published schema: false forbids them (error), true
 * allows them (info), none ignores them (a warning only where a known key was probably meant).
 */
export function checkStructure(loaded: LoadedContract, value: unknown): StructureFinding[] {
  if (loaded.validate(value)) return []
  const errors = loaded.validate.errors ?? []
  const mistyped = new Set(errors.filter(e => e.keyword === 'type').map(e => e.instancePath))
  const findings: StructureFinding[] = []
  let unknown = 0
  let place: Place | undefined
  for (const error of errors) {
    if (error.keyword !== 'type' && mistyped.has(error.instancePath)) continue
    if (error.keyword !== 'additionalProperties') {
      findings.push(describe(error, value, loaded.schema))
      continue
    }
    unknown++
    if (place?.pointer !== error.instancePath) place = placeOf(error, value, loaded.schema)
    const finding = unknownKey(error, place, unknown <= MOST_SUGGESTIONS)
    if (finding) findings.push(finding)
  }
  return findings
}

function describe(error: StructureError, root: unknown, schema: Schema): StructureFinding {
  const { path, value } = resolve(root, error.instancePath)
  const code = `schema/${error.keyword.replace(/[A-Z]/g, c => `-${c.toLowerCase()}`)}`
  const here = schemaAt(schema, path)
  if (error.keyword === 'required') {
    const key = String(error.params.missingProperty)
    const about = schemaAt(schema, [...path, key])?.description
    return {
      code,
      severity: 'error',
      path: [...path, key],
      message: `${quote(key)} is missing`,
      hint: about ? `add it: ${lower(about)}` : 'add it',
    }
  }
  return {
    code,
    severity: 'error',
    path,
    ...(WORDS[error.keyword]?.({ value, params: error.params, path, schema: here }) ??
      refused(value)),
  }
}

type Words = { message: string; hint?: string }

/** What there is to say something about. */
interface Fault {
  readonly value: unknown
  readonly params: Fields
  readonly path: Path
  readonly schema: Schema | undefined
}

/** A key of YAML without a value holds null, which nobody has written. */
const told = (value: unknown): string => (value === null ? 'an empty value' : quote(value))

const refused = (value: unknown): Words => ({ message: `${told(value)} is not allowed here` })

const WORDS: Record<string, (fault: Fault) => Words> = {
  type: ({ value, params, path, schema }) => {
    const types = namesOf(params.type)
    const plain = meantBy(value, types, schema)
    const bare = isQuoted(value, plain) ? ' without quotes' : ''
    return withHint(
      `${nameOf(path)} must be ${expected(types)}, and is ${typeof value === 'number' ? String(value) : kindOf(value)}`,
      plain === undefined
        ? schema?.description && `here belongs: ${lower(schema.description)}`
        : `write ${plain}${bare}${about(schema)}`,
    )
  },
  enum: ({ value, params: { allowedValues }, schema }) => {
    const allowed = (allowedValues as unknown[]).map(String)
    const meant = typeof value === 'string' ? nearest(value, allowed) : undefined
    const shown =
      allowed.length > 12 ? `${allowed.slice(0, 12).join(', ')} …` : listed(allowed, 'or')
    return {
      message: `${told(value)} is not one of the allowed values`,
      hint: meant ? `did you mean '${meant}'? Allowed: ${shown}` : `write ${shown}${about(schema)}`,
    }
  },
  const: ({ value, params: { allowedValue } }) => ({
    message: `expected ${quote(allowedValue)}, found ${told(value)}`,
    hint: `write ${JSON.stringify(allowedValue)}`,
  }),
  pattern: ({ value, params, schema }) => {
    if (isNoDay(String(value), String(params.pattern)))
      return {
        message: `there is no such day: ${quote(value)}`,
        hint: 'write one that is in the calendar',
      }
    const example = beginning(String(value), String(params.pattern)) ?? schema?.examples?.[0]
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
  maximum: ({ value, params: { limit } }) => ({
    message: `${quote(value)} is above ${limit}`,
    hint: `use ${limit} or less`,
  }),
  minLength: ({ params: { limit } }) =>
    limit === 1
      ? {
          message: 'the text is empty',
          hint: 'write it, or leave the key out where it is optional',
        }
      : { message: `the text is shorter than ${counted(Number(limit), 'character')}` },
  maxLength: ({ value, params: { limit } }) => ({
    message: `the text has ${counted([...String(value)].length, 'character')}, more than ${limit}`,
    hint: 'shorten it, and put the details where there is room for them',
  }),
  minItems: ({ value, params: { limit } }) => ({
    message: `the list has ${counted((value as unknown[]).length, 'entry', 'entries')}, fewer than ${limit}`,
    hint: `add ${limit === 1 ? 'one at least' : `entries until there are ${limit}`}`,
  }),
  maxItems: ({ value, params: { limit } }) => ({
    message: `the list has ${counted((value as unknown[]).length, 'entry', 'entries')}, more than ${limit}`,
  }),
  uniqueItems: ({ params: { i, j } }) => ({
    message: `entries ${j} and ${i} are the same`,
    hint: 'keep one of them',
  }),
}

/** Looking for what was meant takes time; a document with more unknown keys is something else altogether. */
const MOST_SUGGESTIONS = 200

/** An object with what its schema says of its keys; the same for all that are unknown in it. */
interface Place {
  readonly pointer: string
  readonly path: Path
  readonly known: readonly string[]
  readonly policy: Schema['additionalProperties']
}

function placeOf({ instancePath }: StructureError, root: unknown, whole: Schema): Place {
  const { path } = resolve(root, instancePath)
  const { properties = {}, additionalProperties } = schemaAt(whole, path) ?? {}
  const known = Object.keys(properties)
  return { pointer: instancePath, path, known, policy: additionalProperties }
}

function unknownKey(
  { params }: StructureError,
  place: Place,
  suggest: boolean,
): StructureFinding | undefined {
  const key = String(params.additionalProperty)
  const meant = suggest ? nearest(key, place.known) : undefined
  if (place.policy === undefined && !meant) return undefined
  return new UnknownKey(key, place, meant)
}

/** There may be tens of thousands of them: the words wait until one of them is shown. */
class UnknownKey implements StructureFinding {
  readonly code = 'schema/additional-properties'
  readonly atKey = true
  readonly severity: Severity
  readonly path: Path
  private readonly place: Place
  private readonly meant: string | undefined

  constructor(key: string, place: Place, meant: string | undefined) {
    const { path, policy } = place
    this.severity = policy === false ? 'error' : policy === true ? 'info' : 'warning'
    this.path = [...path, key]
    this.place = place
    this.meant = meant
  }

  get message(): string {
    return `unknown key ${quote(this.path.at(-1))}`
  }

  get hint(): string {
    if (this.meant) return `did you mean '${this.meant}'?`
    return this.place.policy === false
      ? `remove it; known keys: ${this.place.known.join(', ')}`
      : 'it is kept, but nothing checks it'
  }
}

/** How a part is called: by its key, or as an entry of a list. */
function nameOf(path: Path): string {
  const last = path.at(-1)
  if (last === undefined) return 'the document'
  if (typeof last === 'string') return quote(last)
  const list = path.findLast(key => typeof key === 'string')
  return list === undefined ? `entry ${last + 1}` : `entry ${last + 1} of ${quote(list)}`
}

/** The beginning of a value that has the required form, where only the rest is too much. */
function beginning(value: string, pattern: string): string | undefined {
  const open = pattern.replace(/\(\?!\[\\s\\S\]\)$/, '')
  if (open === pattern || value.length > LONGEST) return undefined
  const found = new RegExp(open, 'u').exec(value)?.[0]
  // Only a text hung on by a hyphen is too much; a digit more would make another id.
  return found && value[found.length] === '-' && new RegExp(pattern, 'u').test(found)
    ? found
    : undefined
}

/** Whether a time would have the required form if its day were in the calendar. */
function isNoDay(value: string, pattern: string): boolean {
  const day = /^[0-9]{4}-[0-9]{2}-[0-9]{2}(?=T)/
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

function lower(sentence: string): string {
  return sentence.replace(/^[A-Z](?![A-Z])/, c => c.toLowerCase()).replace(/\.$/, '')
}

function resolve(root: unknown, pointer: string): { path: Path; value: unknown } {
  const path: (string | number)[] = []
  let value = root
  for (const key of parsePointer(pointer)) {
    path.push(Array.isArray(value) ? Number(key) : key)
    value = (value as Fields | undefined)?.[key]
  }
  return { path, value }
}

/** The part of a schema that describes the value at a path; contracts use no unions of objects, so there is one. */
export function schemaAt(root: Schema, path: Path): Schema | undefined {
  let schema: Schema | undefined = follow(root, root)
  for (const key of path) {
    if (!schema) return undefined
    schema = follow(root, typeof key === 'number' ? schema.items : member(schema, key))
  }
  return schema
}

/** What a schema says of the value under a key: its own property, or what it says of all others. */
export function member(schema: Schema, key: string): Schema | undefined {
  const own = schema.properties
  if (own && Object.hasOwn(own, key)) return own[key]
  const patterned = Object.values(schema.patternProperties ?? {})[0]
  const other = schema.additionalProperties
  return patterned ?? (typeof other === 'object' ? other : undefined)
}

/** The schema that a schema is or refers to. */
export function follow(root: Schema, schema: Schema | undefined): Schema | undefined {
  if (!schema?.$ref) return schema
  const name = schema.$ref.slice(schema.$ref.lastIndexOf('/') + 1)
  return root.$defs?.[name] ?? root.definitions?.[name]
}
