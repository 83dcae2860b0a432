import { expect, test } from 'vitest'
import { catalogue } from './catalogue.generated.ts'
import { agentEntries, deriveTools, outputSchemaOf } from './tools.ts'

const tools = deriveTools(catalogue)
const seen = tools.map(({ name, description, inputSchema }) => ({ name, description, inputSchema }))
const listed = tools.map((tool, i) => {
  const { title, readOnly } = tool
  const annotations = { readOnlyHint: readOnly, destructiveHint: false, openWorldHint: false }
  return { ...seen[i], title, annotations, outputSchema: outputSchemaOf(tool) }
})
const bytes = (value: unknown) => Buffer.byteLength(JSON.stringify(value))

test('the list of tools takes at most 60 KB, and a model at most 4,000 tokens', () => {
  expect(bytes(listed)).toBeLessThanOrEqual(60_000)
  expect(bytes(seen) / 3.5).toBeLessThanOrEqual(4000)
})

test('the list of tools has no words of a command line', () => {
  const texts = JSON.stringify(seen)
  expect(
    texts.match(/.{0,30}(?:--|\bexits?\b|standard input|\bwaybill [a-z]+).{0,30}/gi),
  ).toBeNull()
})

test('no input lists several types, and the root of a schema has nothing but properties', () => {
  for (const { inputSchema } of tools) {
    const { type, properties, required: _, ...rest } = inputSchema
    expect(type).toBe('object')
    expect(rest).toEqual({})
    const types = Object.values(properties as Record<string, { type?: unknown }>).map(p => p.type)
    expect(types.filter(one => one !== undefined && typeof one !== 'string')).toEqual([])
  }
})

test('every input of an operation is listed or named by its action', () => {
  const missing = tools.flatMap(({ inputSchema, actions }) => {
    const properties = inputSchema.properties as Record<string, { description?: string }>
    const named = properties.action?.description?.split(/[^\w]+/) ?? []
    const known = [...Object.keys(properties), ...named]
    return [...actions.values()].flatMap(({ operation: { name, input } }) =>
      Object.keys(input.properties)
        .filter(key => input.properties[key]?.actor !== 'human' && !known.includes(key))
        .map(key => `${name} ${key}`),
    )
  })
  expect(missing).toEqual([])
  expect(agentEntries(catalogue).length).toBeGreaterThan(40)
})
