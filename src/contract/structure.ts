import { type Path, parsePointer } from '../document/index.ts'
import type { Fields, LoadedContract, Schema, StructureError } from './contract.ts'
import type { Finding, Severity } from './diagnostic.ts'
import { lower, wordsFor } from './structure-words.ts'
import { nearest, quote } from './wording.ts'

/** A structural finding with its own severity: an unknown key is weighed by its schema. */
export interface StructureFinding extends Finding {
  readonly code: string
  readonly severity: Severity
}

/**
 * Checks a value against its schema and words each error.
 *
 * Codes are `schema/<JSON Schema keyword in kebab-case>`; a failed pattern of a time is reported as `schema/format`.
 * Errors that follow from a wrong type are left out. Unknown keys follow `additionalProperties`: an error if false, an
 * info if true; if absent they are ignored, except for a warning where a known key was probably meant. Beyond
 * `MOST_DESCRIBED`, errors are only counted.
 */
export function checkStructure(
  loaded: LoadedContract,
  value: unknown,
): { readonly findings: readonly StructureFinding[]; readonly rest: number } {
  if (loaded.validate(value)) return { findings: [], rest: 0 }
  const errors = loaded.validate.errors ?? []
  const mistyped = new Set(errors.filter(e => e.keyword === 'type').map(e => e.instancePath))
  const findings: StructureFinding[] = []
  let faults = 0
  let unknown = 0
  let place: Place | undefined
  for (const error of errors) {
    if (error.keyword !== 'type' && mistyped.has(error.instancePath)) continue
    if (error.keyword !== 'additionalProperties') {
      if (faults++ < MOST_DESCRIBED) findings.push(describe(error, value, loaded.schema))
      continue
    }
    unknown++
    if (place?.pointer !== error.instancePath) place = placeOf(error, value, loaded)
    const finding = unknownKey(error, place, unknown <= MOST_SUGGESTIONS)
    if (finding) findings.push(finding)
  }
  return { findings, rest: Math.max(0, faults - MOST_DESCRIBED) }
}

/** Ten times the diagnostics shown; describing hundreds of thousands would block the caller. */
const MOST_DESCRIBED = 10_000

function describe(error: StructureError, root: unknown, schema: Schema): StructureFinding {
  const { path, value } = resolve(root, error.instancePath)
  const here = schemaAt(schema, path)
  const keyword =
    error.keyword === 'pattern' && here?.format === 'date-time' ? 'format' : error.keyword
  const code = `schema/${keyword.replace(/[A-Z]/g, c => `-${c.toLowerCase()}`)}`
  if (error.keyword === 'required') {
    const key = String(error.params.missingProperty)
    const about = schemaAt(schema, [...path, key])?.description
    const written = misspelled(key, value, here)
    return {
      code,
      severity: 'error',
      path: [...path, key],
      ...(written === undefined
        ? {
            message: `${quote(key)} is missing`,
            hint: about ? `add it: ${lower(about)}` : 'add it',
          }
        : {
            message: `${quote(key)} is missing, but there is ${quote(written)}`,
            hint: `did you mean '${key}'? Rename ${quote(written)}`,
          }),
    }
  }
  return {
    code,
    severity: 'error',
    path,
    ...wordsFor(error.keyword, { value, params: error.params, path, schema: here }),
  }
}

/** The unknown key that probably stands for a missing one. */
function misspelled(key: string, value: unknown, here: Schema | undefined): string | undefined {
  const known = here?.properties ?? {}
  const unknown = Object.keys(value ?? {}).filter(name => !Object.hasOwn(known, name))
  return unknown.slice(0, MOST_SUGGESTIONS).find(name => nearest(name, [key]) !== undefined)
}

/** Suggestions are costly, and useless in a document with many unknown keys. */
const MOST_SUGGESTIONS = 200

/** An object and what its schema says about keys; shared by its unknown keys. */
interface Place {
  readonly pointer: string
  readonly path: Path
  readonly known: readonly string[]
  /** Candidates for suggestions: the known keys, and at the root the wrapper key. */
  readonly meant: readonly string[]
  readonly policy: Schema['additionalProperties']
}

function placeOf({ instancePath }: StructureError, root: unknown, whole: LoadedContract): Place {
  const { path } = resolve(root, instancePath)
  const { properties = {}, additionalProperties } = schemaAt(whole.schema, path) ?? {}
  const { wrapper } = whole.contract.recognise
  const known = Object.keys(properties)
  const meant = path.length === 0 && wrapper ? [...known, wrapper] : known
  return { pointer: instancePath, path, known, meant, policy: additionalProperties }
}

function unknownKey(
  { params }: StructureError,
  place: Place,
  suggest: boolean,
): StructureFinding | undefined {
  const key = String(params.additionalProperty)
  const meant = suggest ? nearest(key, place.meant) : undefined
  if (place.policy === undefined && !meant) return undefined
  return new UnknownKey(key, place, meant)
}

/** Words are computed only when shown, since there may be tens of thousands of unknown keys. */
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
      : 'it is kept but not checked'
  }
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

/** The schema of the value at a path; contracts use no unions of objects, so there is only one. */
export function schemaAt(root: Schema, path: Path): Schema | undefined {
  let schema: Schema | undefined = follow(root, root)
  for (const key of path) {
    if (!schema) return undefined
    schema = follow(root, typeof key === 'number' ? schema.items : member(schema, key))
  }
  return schema
}

/** The schema of the value under a key: its own property, or the one for all others. */
export function member(schema: Schema, key: string): Schema | undefined {
  const own = schema.properties
  if (own && Object.hasOwn(own, key)) return own[key]
  const patterned = Object.values(schema.patternProperties ?? {})[0]
  const other = schema.additionalProperties
  return patterned ?? (typeof other === 'object' ? other : undefined)
}

/** Resolves the `$ref` of a schema. */
export function follow(root: Schema, schema: Schema | undefined): Schema | undefined {
  if (!schema?.$ref) return schema
  const name = schema.$ref.slice(schema.$ref.lastIndexOf('/') + 1)
  return root.$defs?.[name] ?? root.definitions?.[name]
}
