import type { Path } from '../document/index.ts'
import type { Fields, Schema } from './contract.ts'
import { follow, member } from './structure.ts'

/** A part that a schema requires and a value does not have. */
export interface MissingPart {
  readonly path: Path
  /** What belongs there. */
  readonly schema: Schema
}

/**
 * What a value lacks of what its schema requires, in the order of the schema.
 *
 * An object that is missing as a whole is taken apart into what it would have to hold.
 */
export function missingParts(root: Schema, value: unknown): MissingPart[] {
  return missingIn(root, root, value, [])
}

function missingIn(root: Schema, schema: Schema, value: unknown, path: Path): MissingPart[] {
  const here = follow(root, schema) ?? schema
  if (value === undefined) {
    const inner = here.required ?? []
    return here.properties && inner.length > 0
      ? missingIn(root, here, {}, path)
      : [{ path, schema: here }]
  }
  if (Array.isArray(value))
    return value.flatMap((entry, i) => missingIn(root, here.items ?? {}, entry, [...path, i]))
  if (!isFields(value)) return []
  const required = new Set(here.required)
  return keysIn(here, value).flatMap(key => {
    const part = Object.hasOwn(value, key) ? value[key] : undefined
    if (part === undefined && !required.has(key)) return []
    return missingIn(root, member(here, key) ?? {}, part, [...path, key])
  })
}

/** The keys that a schema knows in its order, and behind them those that only the value has. */
function keysIn({ properties = {}, required = [] }: Schema, value: Fields): string[] {
  return [...new Set([...Object.keys(properties), ...required, ...Object.keys(value)])]
}

/** A value with its keys in the order of its schema; keys that the schema does not know stand last. */
export function inSchemaOrder(root: Schema, value: unknown, schema: Schema = root): unknown {
  const here = follow(root, schema) ?? schema
  if (Array.isArray(value)) return value.map(entry => inSchemaOrder(root, entry, here.items ?? {}))
  if (!isFields(value)) return value
  return Object.fromEntries(
    keysIn(here, value)
      .filter(key => Object.hasOwn(value, key))
      .map(key => [key, inSchemaOrder(root, value[key], member(here, key) ?? {})]),
  )
}

/**
 * A value in which every part that is missing is filled in, so that its author sees what belongs where.
 *
 * What is filled in is a text behind `TODO:`, also where a choice, a number or a yes is wanted: a document with an
 * answer that nobody gave must not pass for one that somebody did.
 */
export function completed(root: Schema, value: unknown, schema: Schema = root): unknown {
  const here = follow(root, schema) ?? schema
  if (value === undefined) return placeholder(root, here)
  if (Array.isArray(value)) return value.map(entry => completed(root, entry, here.items ?? {}))
  if (!isFields(value)) return value
  const required = new Set(here.required)
  return Object.fromEntries(
    keysIn(here, value)
      .filter(key => required.has(key) || Object.hasOwn(value, key))
      .map(key => [
        key,
        completed(
          root,
          Object.hasOwn(value, key) ? value[key] : undefined,
          member(here, key) ?? {},
        ),
      ]),
  )
}

function placeholder(root: Schema, schema: Schema): unknown {
  if (schema.const !== undefined) return schema.const
  const types = [schema.type ?? 'string'].flat()
  if (types.includes('object')) return placeholderObject(root, schema)
  if (types.includes('array')) return [completed(root, undefined, schema.items ?? {})]
  const form = schema.enum
    ? ` One of ${schema.enum.join(', ')}.`
    : schema.examples
      ? ` Like ${String(schema.examples[0])}`
      : ''
  return `TODO: ${schema.description ?? 'Write it.'}${form}`
}

/** An object of names that the document chooses gets one entry, unless anything may stand in it. */
function placeholderObject(root: Schema, schema: Schema): unknown {
  if (schema.properties) return completed(root, {}, schema)
  const named = member(schema, 'TODO')
  return named && Object.keys(named).length > 0 ? { TODO: completed(root, undefined, named) } : {}
}

/** The paths of keys that a schema says nothing of, where it neither allows nor forbids them. */
export function unknownFields(root: Schema, value: unknown): Path[] {
  return unknownIn(root, root, value, [])
}

/** A value without the keys that its schema says nothing of. */
export function withoutUnknownFields(root: Schema, value: unknown, schema: Schema = root): unknown {
  const here = follow(root, schema) ?? schema
  if (Array.isArray(value))
    return value.map(entry => withoutUnknownFields(root, entry, here.items ?? {}))
  if (!isFields(value)) return value
  return Object.fromEntries(
    Object.entries(value)
      .filter(([key]) => !isUnknown(here, key))
      .map(([key, part]) => [key, withoutUnknownFields(root, part, member(here, key) ?? {})]),
  )
}

function unknownIn(root: Schema, schema: Schema, value: unknown, path: Path): Path[] {
  const here = follow(root, schema) ?? schema
  if (Array.isArray(value))
    return value.flatMap((entry, i) => unknownIn(root, here.items ?? {}, entry, [...path, i]))
  if (!isFields(value)) return []
  return Object.entries(value).flatMap(([key, part]) => {
    const inner = [...path, key]
    return isUnknown(here, key) ? [inner] : unknownIn(root, member(here, key) ?? {}, part, inner)
  })
}

/** Where a schema lists no properties, whatever stands there is content. */
function isUnknown(schema: Schema, key: string): boolean {
  if (!schema.properties || schema.additionalProperties !== undefined) return false
  return !Object.hasOwn(schema.properties, key) && schema.patternProperties === undefined
}

function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
