import { listed, quote } from '../../contract/index.ts'
import type { LibrarianPass } from '../../contracts/index.ts'
import type { Missions } from '../config.ts'

/** What an attempt at a task may read through its tools. */
export interface Reach {
  /** The pass that a librarian has given for the task. */
  readonly pass: Pick<LibrarianPass, 'pass_id' | 'allowed_resource_families' | 'expires_at'> | null
  /** The data scopes of the task, each of which was allowed when it started. */
  readonly scopes: readonly string[]
}

type ObjectionCode =
  | 'mission/data-scope'
  | 'mission/pass-expired'
  | 'mission/pass-scope'
  | 'mission/place-unknown'
  | 'mission/tool-calls'

/** Why a call may not be, with the code that its trace has for that. */
export interface Objection {
  readonly code: ObjectionCode
  readonly why: string
}

type Tool = NonNullable<Missions['tools']>[string]
type Places = NonNullable<Missions['places']>

/** What is in the way of a tool whatever it is asked; undefined where that depends on the call, or nothing is. */
export function faultInTool(tool: Tool, { pass, scopes }: Reach): Objection | undefined {
  if (pass && !(Date.parse(pass.expires_at) > Date.now()))
    return {
      code: 'mission/pass-expired',
      why: `the pass ${quote(pass.pass_id)} has expired at ${pass.expires_at}`,
    }
  if (pass && tool.families === undefined && tool.places === undefined)
    return {
      code: 'mission/pass-scope',
      why: `the task has a pass, and waybill.yaml does not say which families of resources the tool reaches`,
    }
  return faultInFamilies(tool.families ?? [], { pass, scopes })
}

/** What is in the way of a call that names places in its arguments. */
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
  return families ? faultInFamilies(families, reach) : nowhere(argument, place)
}

function nowhere(name: string, value: unknown): Objection {
  const what = typeof value === 'string' ? quote(value) : 'no name of a place'
  return {
    code: 'mission/place-unknown',
    why: `its argument ${quote(name)} is ${what}, which lies at none of the places that waybill.yaml names, or is not written plainly`,
  }
}

function faultInFamilies(families: readonly string[], { pass, scopes }: Reach) {
  const stray = families.find(family => !scopes.includes(family))
  if (stray !== undefined)
    return {
      code: 'mission/data-scope',
      why: `it reaches ${quote(stray)}, and the data scopes of the task are ${namesOf(scopes)}`,
    } as const
  const closed = families.find(family => pass?.allowed_resource_families.includes(family) === false)
  if (closed === undefined || !pass) return undefined
  const open = namesOf(pass.allowed_resource_families)
  return {
    code: 'mission/pass-scope',
    why: `it reaches ${quote(closed)}, and the pass ${quote(pass.pass_id)} is for ${open}`,
  } as const
}

function namesOf(names: readonly string[]): string {
  return listed(names.slice(0, 20).map(quote)) || 'none'
}

/**
 * Everything that programs may read as something else names no place: escapes, patterns, variables, separators, and what is
 * cut off before a place is looked up, such as the part of an address after `#`.
 */
const PLAIN = /^[\p{L}\p{M}\p{N} ._\-+@=,()~/]*$/u
/** In UTF-16 units. */
const LONGEST = 4096

/**
 * The families of what lies at a place and below it; undefined where it lies nowhere, or is not written as it is named.
 *
 * Letters count as they are written: where a place differs from a known one by case alone, or in the way its letters are
 * composed, nobody knows whether that is the same one.
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

/** What follows the known part of a place: names between slashes, none of which leads up or stands still. */
function isPlain(rest: string): boolean {
  if (!PLAIN.test(rest) || rest !== rest.normalize('NFKC')) return false
  const [first, ...names] = rest.split('/')
  // Addresses lose blanks at their ends, and some file systems blanks and dots at the end of a name.
  return first === '' && names.every(name => /^[^ ].*[^. ]$|^[^. ]$/u.test(name))
}

/** Why a name of a place in waybill.yaml is none. */
export function whyNoPlace(place: string): string | undefined {
  if (place.endsWith('/')) return 'a place is named without a slash at its end'
  if (/(?:^|\/)\.\.?(?:\/|$)/.test(place)) return 'a place is named without a way up or around'
  return undefined
}
