import canonicalize from 'canonicalize'
import type { Faulty } from './fault.ts'

/** The maximum nesting depth to read or write, as for every checked document. */
export const MAX_DEPTH = 100

const HALF_PAIR = /\p{Surrogate}/u

interface Finding {
  readonly at: string
  readonly why: string
}

/** Writes a value as canonical JSON (RFC 8785), or returns a fault: unpaired surrogate, too deep, not JSON. */
export function canonicalJson(value: unknown): string | Faulty {
  try {
    const found = whyNotJson(value, 0)
    if (found) return { fault: `${found.at === '' ? 'the value' : found.at} ${found.why}` }
    return written(value) ?? canonicalize(value) ?? { fault: 'the value is not JSON' }
  } catch {
    // A caller's getter may throw, or the text exceed the engine's limit.
    return { fault: 'the value cannot be written as JSON' }
  }
}

/** Parses a text only if it is canonical JSON, so that all parsers agree on its value. */
export function parseCanonicalJson(text: string): { readonly value: unknown } | Faulty {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    return { fault: 'is not JSON' }
  }
  const order = orderOf(value, 0)
  if (order === 'deep') return { fault: `nests more than ${MAX_DEPTH} levels deep` }
  // The engine's writer differs from RFC 8785 only in key order and in unpaired surrogates, which it escapes.
  const same =
    order === 'sorted' && !text.includes('\\ud')
      ? JSON.stringify(value) === text
      : canonicalJson(value) === text
  return same ? { value } : { fault: 'is not canonical JSON (RFC 8785)' }
}

type Order = 'sorted' | 'unsorted' | 'deep'

/** Whether the engine writes all keys of a parsed value in RFC 8785 order. */
function orderOf(value: unknown, depth: number): Order {
  if (typeof value !== 'object' || value === null) return 'sorted'
  if (depth === MAX_DEPTH) return 'deep'
  const isList = Array.isArray(value)
  let order: Order = isList || isSorted(Object.keys(value)) ? 'sorted' : 'unsorted'
  for (const member of isList ? value : Object.values(value)) {
    const inner = orderOf(member, depth + 1)
    if (inner === 'deep') return inner
    if (inner === 'unsorted') order = inner
  }
  return order
}

function isSorted(keys: readonly string[]): boolean {
  let last = ''
  for (const key of keys) {
    if (key < last) return false
    last = key
  }
  return true
}

function whyNotJson(value: unknown, depth: number): Finding | undefined {
  switch (typeof value) {
    case 'boolean':
      return undefined
    case 'string':
      return HALF_PAIR.test(value) ? here('has an unpaired surrogate') : undefined
    case 'number':
      return Number.isFinite(value) ? undefined : here('is not a finite number')
    case 'object':
      if (value === null) return undefined
      if (depth === MAX_DEPTH) return here(`nests more than ${MAX_DEPTH} levels deep`)
      return Array.isArray(value) ? inList(value, depth + 1) : inObject(value, depth + 1)
    default:
      return here(`is not a JSON value but of type ${typeof value}`)
  }
}

const here = (why: string): Finding => ({ at: '', why })

/**
 * Writes a JSON value with the engine's writer after sorting keys; returns nothing where the engine would reorder
 * them.
 */
function written(value: unknown): string | undefined {
  const ordered = inOrder(value)
  return ordered === UNORDERED ? undefined : JSON.stringify(ordered)
}

const UNORDERED = Symbol('unordered')

function inOrder(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) {
    const list = value.map(inOrder)
    return list.includes(UNORDERED) ? UNORDERED : list
  }
  const members = value as Readonly<Record<string, unknown>>
  const keys = Object.keys(members)
  const ordered: Record<string, unknown> = {}
  // RFC 8785 sorts keys by UTF-16 code units, as JavaScript does.
  for (const key of isSorted(keys) ? keys : keys.sort()) {
    const inner = inOrder(members[key])
    if (standsElsewhere(key) || inner === UNORDERED) return UNORDERED
    ordered[key] = inner
  }
  return ordered
}

/** Whether objects reorder a key or treat it specially. */
function standsElsewhere(key: string): boolean {
  const first = key.charCodeAt(0)
  return (first >= ZERO && first <= NINE) || key === '__proto__'
}

const [ZERO, NINE] = [0x30, 0x39]

function inList(list: readonly unknown[], depth: number): Finding | undefined {
  for (let index = 0; index < list.length; index++) {
    const found = whyNotJson(list[index], depth)
    if (found) return { at: `/${index}${found.at}`, why: found.why }
  }
  return undefined
}

function inObject(value: object, depth: number): Finding | undefined {
  const prototype: unknown = Object.getPrototypeOf(value)
  if (prototype !== Object.prototype && prototype !== null) return here('is not a plain object')
  if (Object.getOwnPropertySymbols(value).length > 0) return here('has a key that is not a string')
  const members = value as Readonly<Record<string, unknown>>
  for (const key of Object.keys(members)) {
    if (HALF_PAIR.test(key)) return here('has a key that has an unpaired surrogate')
    const found = whyNotJson(members[key], depth)
    if (found)
      return {
        at: `/${key.replaceAll('~', '~0').replaceAll('/', '~1')}${found.at}`,
        why: found.why,
      }
  }
  return undefined
}
