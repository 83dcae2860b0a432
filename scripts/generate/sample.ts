import type { Fields, Schema } from '../../src/contract/index.ts'
import { follow, isFields, type Node, namedSchema, typesOf } from './schema-node.ts'

/** Fills in the optional keys for which the schema shows a valid value. */
export function complete(root: Schema, value: unknown, schema: Schema = root): unknown {
  const node = follow(root, schema)
  if (Array.isArray(value)) return completeList(root, value, node)
  return isFields(value) ? completeFields(root, value, node) : value
}

function completeList(root: Schema, list: readonly unknown[], { items }: Node): unknown {
  const first = items && filled(root, list[0], items)
  return first === undefined ? list : [first, ...list.slice(1)]
}

function completeFields(root: Schema, fields: Fields, node: Node): unknown {
  const entries = new Map(Object.entries(fields))
  const fill = (key: string, schema: Schema) => {
    const value = filled(root, entries.get(key), schema)
    if (value !== undefined) entries.set(key, value)
  }
  for (const [key, property] of Object.entries(node.properties ?? {})) fill(key, property)
  const named = namedSchema(node)
  if (named && !node.properties) fill(Object.keys(fields)[0] ?? 'name', named)
  return Object.fromEntries(entries)
}

function filled(root: Schema, own: unknown, schema: Schema): unknown {
  return own === undefined ? sampleOf(root, schema) : complete(root, own, schema)
}

/** A value that a schema accepts, unless it would have to match a pattern. */
function sampleOf(root: Schema, schema: Schema): unknown {
  const node = follow(root, schema)
  if (node.const !== undefined) return node.const
  const known = node.examples?.[0] ?? node.enum?.find(choice => choice !== null)
  if (known !== undefined) return known
  switch (typesOf(node).find(type => type !== 'null')) {
    case 'object':
      return complete(root, {}, node)
    case 'array': {
      const item = node.items && sampleOf(root, node.items)
      return item === undefined ? [] : Array.from({ length: node.minItems ?? 1 }, () => item)
    }
    case 'string':
      return node.pattern
        ? undefined
        : 'text'.padEnd(node.minLength ?? 0, '.').slice(0, node.maxLength)
    case 'integer':
    case 'number':
      return node.minimum ?? 0
    case 'boolean':
      return true
    default:
      return undefined
  }
}
