import type { Fields, Schema } from '../../src/contract/index.ts'

/** A JSON Schema node with the keywords that limit a value. */
export interface Node extends Schema {
  readonly const?: unknown
  readonly pattern?: string
  readonly minimum?: number
  readonly maximum?: number
  readonly minLength?: number
  readonly maxLength?: number
  readonly minItems?: number
  readonly maxItems?: number
  readonly uniqueItems?: boolean
}

/** The node that a schema is or refers to. */
export function follow(root: Schema, schema: Schema): Node {
  if (!schema.$ref) return schema
  const name = schema.$ref.slice(schema.$ref.lastIndexOf('/') + 1)
  return root.$defs?.[name] ?? root.definitions?.[name] ?? schema
}

/** The types that a node declares. */
export function typesOf({ type = [] }: Node): readonly string[] {
  return typeof type === 'string' ? [type] : type
}

/** The schema of members with free names. */
export function namedSchema(node: Node): Schema | undefined {
  const other = node.additionalProperties
  return typeof other === 'object' ? other : Object.values(node.patternProperties ?? {})[0]
}

/** Whether a value is an object with keys. */
export function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
