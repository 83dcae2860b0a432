import { listed, quote } from '../../contract/index.ts'
import type { LibrarianPass } from '../../contracts/index.ts'
import type { Missions } from '../config.ts'

/** The data that an attempt may access through its tools. */
export interface Reach {
  /** The task's librarian pass. */
  readonly pass: Pick<LibrarianPass, 'pass_id' | 'allowed_resource_families' | 'expires_at'> | null
  /** The data scopes of the task, allowed at its start. */
  readonly scopes: readonly string[]
}

type ObjectionCode =
  | 'mission/data-scope'
  | 'mission/pass-expired'
  | 'mission/pass-scope'
  | 'mission/place-unknown'
  | 'mission/tool-calls'

/** Why a call is refused, with its code in the trace. */
export interface Objection {
  readonly code: ObjectionCode
  readonly why: string
}

type Tool = NonNullable<Missions['tools']>[string]
type Places = NonNullable<Missions['places']>

/** The objection to a tool regardless of its arguments, if any. */
export function faultInTool(tool: Tool, { pass, scopes }: Reach): Objection | undefined {
  if (pass && !(Date.parse(pass.expires_at) > Date.now()))
    return {
      code: 'mission/pass-expired',
      why: `the pass ${quote(pass.pass_id)} expired at ${pass.expires_at}`,
    }
  if (pass && tool.families === undefined && tool.places === undefined)
    return {
      code: 'mission/pass-scope',
      why: `the task has a pass, but waybill.yaml does not declare the resource families of the tool`,
    }
  return faultInFamilies(tool.families ?? [], { pass, scopes })
}

/** The objection to places in the arguments of a call, if any. */
export function faultInPlaces(
  tool: Tool,
  places: Places = {},
  given: Readonly<Record<string, unknown>>,
  reach: Reach,
): Objection | undefined {
  for (const name of tool.places ?? []) {
    const value = Object.hasOwn(given, name) ? given[name] : undefined
    const all: readonly unknown[] = Array.isArray(value) && value.length > 0 ? value : [value]
    const fault = all.map(place => faultInPlace(name, place, places, reach)).find(Boolean)
    if (fault) return fault
  }
  return undefined
}

function faultInPlace(argument: string, place: unknown, places: Places, reach: Reach) {
  const families = typeof place === 'string' ? familiesAt(place, places) : undefined
  return families ? faultInFamilies(families, reach) : unknownPlace(argument, place)
}

function unknownPlace(name: string, value: unknown): Objection {
  const what = typeof value === 'string' ? quote(value) : 'not a text'
  return {
    code: 'mission/place-unknown',
    why: `its argument ${quote(name)} is ${what}, which is not a plain path below a place in waybill.yaml`,
  }
}

function faultInFamilies(families: readonly string[], { pass, scopes }: Reach) {
  const stray = families.find(family => !scopes.includes(family))
  if (stray !== undefined)
    return {
      code: 'mission/data-scope',
      why: `it accesses ${quote(stray)}, but the data scopes of the task are ${namesOf(scopes)}`,
    } as const
  const closed = families.find(family => pass?.allowed_resource_families.includes(family) === false)
  if (closed === undefined || !pass) return undefined
  const open = namesOf(pass.allowed_resource_families)
  return {
    code: 'mission/pass-scope',
    why: `it accesses ${quote(closed)}, but the pass ${quote(pass.pass_id)} is for ${open}`,
  } as const
}

function namesOf(names: readonly string[]): string {
  return listed(names.slice(0, 20).map(quote)) || 'none'
}

/**
 * Characters that every program reads the same way: no escapes, patterns, variables or separators, nor URL fragments.
 */
const PLAIN = /^[\p{L}\p{M}\p{N} ._\-+@=,()~/]*$/u
/** In UTF-16 units. */
const LONGEST = 4096

/**
 * The families of the resources at and below a place; undefined when it is unknown or not written exactly. Case and
 * Unicode composition count, since file systems differ in how they treat them.
 */
function familiesAt(place: string, places: Places): readonly string[] | undefined {
  if (place.length > LONGEST) return undefined
  const names = Object.keys(places)
  const whole = place.endsWith('/') ? place.slice(0, -1) : place
  const folded = foldedOf(whole)
  const [nearest] = names
    .filter(name => isAt(folded, foldedOf(name)))
    .sort((a, b) => b.length - a.length)
  if (nearest === undefined || !isAt(whole, nearest)) return undefined
  if (!isPlain(whole.slice(nearest.length))) return undefined
  const below = names.filter(name => isAt(foldedOf(name), folded))
  return [...new Set([nearest, ...below])].flatMap(name => places[name] ?? [])
}

function isAt(place: string, root: string): boolean {
  return place === root || place.startsWith(`${root}/`)
}

function foldedOf(text: string): string {
  return text.normalize('NFKC').toLowerCase()
}

/** Whether the rest of a path has only plain names between slashes, without `.` and `..`. */
function isPlain(rest: string): boolean {
  if (!PLAIN.test(rest) || rest !== rest.normalize('NFKC')) return false
  const [first, ...names] = rest.split('/')
  // URLs drop outer blanks, and some file systems drop blanks and dots at the end of a name.
  return first === '' && names.every(name => /^[^ ].*[^. ]$|^[^. ]$/u.test(name))
}

/** Why a place in waybill.yaml is invalid. */
export function whyNoPlace(place: string): string | undefined {
  if (place.endsWith('/')) return 'a place must not end with a slash'
  if (/(?:^|\/)\.\.?(?:\/|$)/.test(place)) return 'a place must not contain . or ..'
  return undefined
}
