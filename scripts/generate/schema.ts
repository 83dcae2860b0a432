type Json = Record<string, unknown>

const DIALECTS = {
  'draft-07': { $schema: 'http://json-schema.org/draft-07/schema#', shared: 'definitions' },
  '2020-12': { $schema: 'https://json-schema.org/draft/2020-12/schema', shared: '$defs' },
} as const

/** The JSON Schema dialect of a published contract. */
export type Dialect = keyof typeof DIALECTS

/** The dialect of a contract: Draft-07 if its specification requires it, else 2020-12. */
export function dialectOf(id: string): Dialect {
  return id.startsWith('session-context.') ? 'draft-07' : '2020-12'
}

/**
 * The published form of an authored schema: `$schema` and `$id` come first, and every part with a plain `$id` is
 * moved to the shared definitions and referenced.
 */
export function publish(authored: unknown, id: string): Json {
  const dialect = DIALECTS[dialectOf(id)]
  const shared: Json = {}
  const hoist = (node: unknown): unknown => {
    if (Array.isArray(node)) return node.map(hoist)
    if (typeof node !== 'object' || node === null) return node
    const copy = Object.fromEntries(Object.entries(node).map(([k, v]) => [k, hoist(v)]))
    const { $id, ...rest } = copy
    // Among properties, it is a property name.
    if (typeof $id !== 'string') return copy
    shared[$id] = rest
    return { $ref: `#/${dialect.shared}/${$id}` }
  }
  const root = hoist(authored) as Json
  const schema: Json = { $schema: dialect.$schema, $id: `urn:waybill:schema:${id}`, ...root }
  if (schema.properties && mayNameItsSchema(id)) {
    schema.properties = {
      $schema: { type: 'string', description: 'The schema of this document, for editors.' },
      ...(schema.properties as Json),
    }
  }
  if (Object.keys(shared).length > 0) schema[dialect.shared] = shared
  lint(schema, id, [])
  return schema
}

/** Whether documents may have `$schema` for editors: not handoff frontmatter or operation outputs. */
function mayNameItsSchema(id: string): boolean {
  return id !== 'handoff-document.v1' && !id.startsWith('output:')
}

/** Closes every open object, so that unknown keys are reported; the engine sets their severity. */
export function close(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(close)
  if (typeof schema !== 'object' || schema === null) return schema
  const copy: Json = Object.fromEntries(
    Object.entries(schema as Json).map(([k, v]) => [k, close(v)]),
  )
  const open = copy.additionalProperties === undefined || copy.additionalProperties === true
  if (copy.type === 'object' && copy.properties && open && !copy.patternProperties) {
    copy.additionalProperties = false
  }
  return copy
}

/** Keywords whose values are data, not schemas. */
const DATA = new Set(['examples', 'enum', 'const', 'default'])
/** Keywords whose members have free names. */
const NAMES = new Set(['properties', '$defs', 'definitions'])

/** Refuses keywords that validators in other languages read differently, and parts without a description. */
function lint(node: unknown, id: string, path: readonly string[]): void {
  if (typeof node !== 'object' || node === null) return
  if (!Array.isArray(node) && !NAMES.has(path.at(-1) ?? '')) lintSchema(node as Json, id, path)
  for (const [key, value] of Object.entries(node)) {
    if (!DATA.has(key)) lint(value, id, [...path, key])
  }
}

function lintSchema(schema: Json, id: string, path: readonly string[]): void {
  const fail = (why: string) => {
    throw new Error(`${id} /${path.join('/')}: ${why}`)
  }
  if (typeof schema.pattern === 'string') lintPattern(schema.pattern, fail)
  const referring = '$ref' in schema
  if (referring && Object.keys(schema).length > 1) fail('no other keyword may accompany $ref')
  if (path.at(-2) === 'properties' && !referring && !schema.description) fail('has no description')
  for (const word of ['prefixItems', 'unevaluatedProperties', '$dynamicRef', 'oneOf']) {
    if (word in schema) fail(`${word} is not portable`)
  }
}

function lintPattern(pattern: string, fail: (why: string) => void): void {
  const bare = pattern.replaceAll('(?![\\s\\S])', '')
  if (/\\[dwpbDWPB]/.test(bare)) fail('\\d, \\w, \\b and \\p differ between languages')
  if (/(^|[^\\[])\$/.test(bare))
    fail('$ matches before a final newline in Python; end with (?![\\s\\S])')
}
