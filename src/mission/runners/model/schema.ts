/** JSON Schema keywords that every provider accepts; the answer is checked against the full schema later. */
const KEPT = new Set([
  'type',
  'title',
  'description',
  'properties',
  'required',
  'additionalProperties',
  'items',
  'enum',
  'const',
  'anyOf',
  'allOf',
  'oneOf',
  '$ref',
  '$defs',
  'definitions',
  'minItems',
])

/** Keywords whose value maps arbitrary names to schemas. */
const NAMED = new Set(['properties', '$defs', 'definitions'])
/** Keywords whose value is data. */
const DATA = new Set(['enum', 'const', 'required', 'type', 'title', 'description', '$ref'])

/** Reduces a schema to what providers accept: no patterns, formats or limits. */
export function plainSchema(schema: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const plain: Record<string, unknown> = {}
  for (const [word, value] of Object.entries(schema)) {
    if (!KEPT.has(word)) continue
    if (DATA.has(word)) plain[word] = value
    else plain[word] = NAMED.has(word) ? namedSchemas(value) : plainPart(value)
  }
  return plain
}

function plainPart(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(plainPart)
  return isObject(value) ? plainSchema(value) : value
}

function namedSchemas(value: unknown): unknown {
  if (!isObject(value)) return value
  return Object.fromEntries(Object.entries(value).map(([name, part]) => [name, plainPart(part)]))
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
