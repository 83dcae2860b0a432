import { listed, nearest, quote } from '../../contract/index.ts'
import { canonicalJson } from '../../ledger/index.ts'
import { sha256 } from '../../workspace/index.ts'

/** Arguments to pass on, or why not. */
type Arguments =
  | { readonly value: Readonly<Record<string, unknown>>; readonly digest: string }
  | { readonly fault: string; readonly digest: string | null }

/** In UTF-16 units of the canonical form. */
const LONGEST = 262_144
const DEEPEST = 32
/** Keys with which a careless server would change its own objects. */
const DANGEROUS = new Set(['__proto__', 'constructor', 'prototype'])

/** Reads the arguments of a tool call as a copy of plain JSON. */
export function readArguments(given: unknown): Arguments {
  const text = canonicalJson(given ?? {})
  if (typeof text !== 'string') return { fault: `the arguments: ${text.fault}`, digest: null }
  const digest = sha256(text)
  if (text.length > LONGEST)
    return { fault: `the arguments are longer than ${LONGEST} characters`, digest }
  const value: unknown = JSON.parse(text)
  if (!isObject(value)) return { fault: 'the arguments are not an object', digest }
  const fault = faultInKeys(value)
  return fault === undefined ? { value, digest } : { fault, digest }
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

function faultInKeys(root: unknown): string | undefined {
  const open = [{ value: root, depth: 1 }]
  for (let next = open.pop(); next; next = open.pop()) {
    const { value, depth } = next
    if (depth > DEEPEST) return `the arguments nest more than ${DEEPEST} levels deep`
    if (isObject(value)) {
      const key = Object.keys(value).find(name => DANGEROUS.has(name))
      if (key !== undefined) return `the arguments may not have the key ${key}`
    }
    for (const part of Object.values(value as object))
      if (typeof part === 'object' && part !== null) open.push({ value: part, depth: depth + 1 })
  }
  return undefined
}

type Schema = Readonly<Record<string, unknown>>

/**
 * Checks a value against the simple parts of a schema: types, enums, required and unknown keys, and items. The server
 * checks the rest: patterns may take unbounded time, and references may lead anywhere.
 */
export function faultInValue(schema: unknown, value: unknown, place = ''): string | undefined {
  if (!isObject(schema)) return undefined
  const name = place === '' ? 'the arguments' : place
  if (!isOfType(schema.type, value))
    return `${name} must be of the type ${[schema.type].flat().join(' or ')}`
  if (!isListed(schema, value)) return `${name} cannot be ${quote(value)}${choiceOf(schema)}`
  if (Array.isArray(value)) {
    if (!isObject(schema.items)) return undefined
    return firstOf(value, (item, i) => faultInValue(schema.items, item, `${place}/${i}`))
  }
  return isObject(value) ? faultInMembers(schema, value, place) : undefined
}

function faultInMembers(
  schema: Schema,
  value: Readonly<Record<string, unknown>>,
  place: string,
): string | undefined {
  const parts = isObject(schema.properties) ? schema.properties : {}
  const required = Array.isArray(schema.required) ? schema.required : []
  const missing = required.find(key => typeof key === 'string' && !Object.hasOwn(value, key))
  if (missing !== undefined) return `${place}/${missing} is missing`
  const isClosed = schema.additionalProperties === false && schema.patternProperties === undefined
  return firstOf(Object.entries(value), ([key, part]) => {
    if (Object.hasOwn(parts, key)) return faultInValue(parts[key], part, `${place}/${key}`)
    return isClosed ? `${quote(`${place}/${key}`)} is unknown${meant(key, parts)}` : undefined
  })
}

function firstOf<T>(items: readonly T[], faultOf: (item: T, index: number) => string | undefined) {
  for (const [index, item] of items.entries()) {
    const fault = faultOf(item, index)
    if (fault !== undefined) return fault
  }
  return undefined
}

function meant(key: string, parts: Schema): string {
  const known = Object.keys(parts)
  const near = nearest(key, known)
  if (near !== undefined) return `; did you mean ${near}?`
  return known.length === 0 ? '' : `; the keys are ${listed(known.slice(0, 12))}`
}

function isListed(schema: Schema, value: unknown): boolean {
  const values = 'const' in schema ? [schema.const] : schema.enum
  // The server compares lists and objects.
  if (!Array.isArray(values) || values.some(v => typeof v === 'object' && v !== null)) return true
  return values.includes(value)
}

function choiceOf({ enum: values }: Schema): string {
  return Array.isArray(values) ? `; use one of ${listed(values.slice(0, 12).map(quote), 'or')}` : ''
}

function isOfType(type: unknown, value: unknown): boolean {
  const names = [type].flat().filter(name => typeof name === 'string')
  // Unknown types are not checked.
  const isOf = (name: string) => !Object.hasOwn(TYPES, name) || TYPES[name]?.(value)
  return names.length === 0 || names.some(isOf)
}

const TYPES: Readonly<Record<string, (value: unknown) => boolean>> = {
  string: value => typeof value === 'string',
  boolean: value => typeof value === 'boolean',
  number: value => typeof value === 'number',
  integer: value => Number.isInteger(value),
  null: value => value === null,
  array: Array.isArray,
  object: isObject,
}
