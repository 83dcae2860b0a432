import type { Path } from '../document/index.ts'
import type { Fields, Schema } from './contract.ts'
import { follow, member } from './structure.ts'

/** A required part that a value lacks. */
export interface MissingPart {
  readonly path: Path
  /** Its description in the schema. */
  readonly schema: Schema
}

/**
 * The required parts that a value lacks, in the order of the schema. A missing object is listed by its required parts.
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

/** The keys of a value in the order of its schema; unknown keys last. */
function keysIn({ properties = {}, required = [] }: Schema, value: Fields): string[] {
  return [...new Set([...Object.keys(properties), ...required, ...Object.keys(value)])]
}

/** Sorts the keys of a value as its schema does; unknown keys last. */
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
 * Fills in every missing part of a value with a placeholder.
 *
 * The placeholder is a `TODO:` text even for a choice, a number or a boolean, so an unanswered document is invalid.
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

/** A map with free keys gets one sample entry, unless its values may be anything. */
function placeholderObject(root: Schema, schema: Schema): unknown {
  if (schema.properties) return completed(root, {}, schema)
  const named = member(schema, 'TODO')
  return named && Object.keys(named).length > 0 ? { TODO: completed(root, undefined, named) } : {}
}

/** The paths of keys that a schema does not mention, where it neither allows nor forbids them. */
export function unknownFields(root: Schema, value: unknown): Path[] {
  return unknownIn(root, root, value, [])
}

/** Removes the keys that `unknownFields` lists. */
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

/** Whether the schema lists properties; without them, every key is content. */
function isUnknown(schema: Schema, key: string): boolean {
  if (!schema.properties || schema.additionalProperties !== undefined) return false
  return !Object.hasOwn(schema.properties, key) && schema.patternProperties === undefined
}

function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
