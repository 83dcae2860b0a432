import { WaybillError } from '../error.ts'
import type { Path } from './document.ts'
import { maskedPointer } from './pointer.ts'

/** A plain JSON value. */
export type Json =
  | string
  | number
  | boolean
  | null
  | readonly Json[]
  | { readonly [key: string]: Json }

/** One change of a document: a part is set or removed. */
export type Change =
  | { readonly path: Path; readonly value: Json }
  | { readonly path: Path; readonly remove: true }

/** A plain object. */
export type JsonObject = { readonly [key: string]: Json }

/** Whether a value is a list or an object. */
export function isCollection(value: Json | undefined): value is readonly Json[] | JsonObject {
  return typeof value === 'object' && value !== null
}

/** Whether a value is a list. */
export function isList(value: Json | undefined): value is readonly Json[] {
  return Array.isArray(value)
}

/** The number of parts of a list or object. */
export function sizeOf(value: readonly Json[] | JsonObject): number {
  return isList(value) ? value.length : Object.keys(value).length
}

/** The part of a value under a key or index, if it exists. */
export function partOf(value: Json | undefined, segment: string | number): Json | undefined {
  if (isList(value)) {
    const index = Number(segment)
    return String(index) === String(segment) ? value[index] : undefined
  }
  if (!isCollection(value) || !Object.hasOwn(value, segment)) return undefined
  return value[segment]
}

/**
 * Returns a value with a change applied.
 *
 * Creates missing parents, treats an empty value as missing, and may append one item to a list; any other unreachable
 * path is an internal error. Removing a missing part changes nothing.
 */
export function withChange(value: Json, change: Change): Json {
  return changedAt(value, change, 0)
}

function changedAt(value: Json | undefined, change: Change, depth: number): Json {
  const segment = change.path[depth]
  if (segment === undefined) {
    if ('value' in change) return change.value
    throw impossible(change, 'the whole document cannot be removed')
  }
  const old = partOf(value, segment)
  if ('remove' in change && old === undefined) return value ?? null
  if (isList(value)) return changedList(value, change, depth)
  if (isCollection(value)) return changedObject(value, change, depth)
  if (value !== undefined && value !== null)
    throw impossible(change, 'its path leads through a scalar')
  return changedAt(segment === 0 ? [] : {}, change, depth)
}

function changedList(list: readonly Json[], change: Change, depth: number): Json {
  const index = Number(change.path[depth])
  if (!(Number.isInteger(index) && index >= 0 && index <= list.length))
    throw impossible(change, 'the list has no such index')
  if ('remove' in change && depth === change.path.length - 1) return list.toSpliced(index, 1)
  return list.toSpliced(index, 1, changedAt(list[index], change, depth + 1))
}

function changedObject(object: JsonObject, change: Change, depth: number): Json {
  const key = String(change.path[depth])
  if ('remove' in change && depth === change.path.length - 1)
    return Object.fromEntries(Object.entries(object).filter(([name]) => name !== key))
  const next = changedAt(partOf(object, key), change, depth + 1)
  // Assignment would set the prototype for `__proto__`.
  return Object.hasOwn(object, key)
    ? Object.fromEntries(Object.entries(object).map(([k, v]) => [k, k === key ? next : v]))
    : Object.fromEntries([...Object.entries(object), [key, next]])
}

/** The error of an impossible change; callers check documents before they change them. */
export function impossible({ path }: Change, why: string): WaybillError {
  return new WaybillError(
    'usage',
    `${maskedPointer(path) || 'the document'} cannot be changed: ${why}`,
    { hint: 'change it by hand' },
  )
}
