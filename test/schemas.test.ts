import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Ajv, type ErrorObject, type ValidateFunction } from 'ajv'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { describe, expect, test } from 'vitest'
import { mutate } from '../scripts/generate/mutations.ts'
import { expectedFindings, type Vectors } from '../scripts/generate/vectors.ts'
import { contracts, loadContract } from '../src/contracts/index.ts'
import { breachesOf } from './released.ts'

type Json = Record<string, unknown>

const folder = join(import.meta.dirname, '../schemas')
const read = (file: string) => JSON.parse(readFileSync(join(folder, file), 'utf8')) as Json

/** What validators of every language read alike; another keyword has to be added to the Python layer first. */
const KEYWORDS = [
  ...['$schema', '$id', '$ref', '$defs', 'definitions', 'title', 'description', 'examples'],
  ...[
    'type',
    'enum',
    'const',
    'properties',
    'patternProperties',
    'additionalProperties',
    'required',
  ],
  ...[
    'items',
    'minItems',
    'maxItems',
    'uniqueItems',
    'minLength',
    'maxLength',
    'pattern',
    'format',
  ],
  ...['minimum', 'maximum'],
]

/** The keywords of a schema whose value names schemas, and those whose value is one. */
const NAMED = ['properties', 'patternProperties', '$defs', 'definitions']
const SINGLE = ['items', 'additionalProperties']

/** Every schema node with its place in the file. */
function* nodesOf(schema: Json, at = ''): Generator<{ at: string; node: Json }> {
  yield { at, node: schema }
  for (const keyword of NAMED) {
    for (const [name, part] of Object.entries((schema[keyword] ?? {}) as Json)) {
      yield* nodesOf(part as Json, `${at}/${keyword}/${name}`)
    }
  }
  for (const keyword of SINGLE) {
    if (typeof schema[keyword] === 'object')
      yield* nodesOf(schema[keyword] as Json, `${at}/${keyword}`)
  }
}

function compile(schema: Json): ValidateFunction {
  const options = {
    allErrors: true,
    ownProperties: true,
    strict: false,
    validateFormats: false,
    verbose: true,
  } as const
  const draft7 = schema.$schema === 'http://json-schema.org/draft-07/schema#'
  return (draft7 ? new Ajv(options) : new Ajv2020(options)).compile(schema)
}

/** Ajv's errors in the product's terms: a missing or unknown key is named by its own path, a time that is none by its format. */
function codesOf(errors: readonly ErrorObject[]): string[] {
  const mistyped = errors.filter(e => e.keyword === 'type').map(e => e.instancePath)
  const counted = errors.filter(e => e.keyword === 'type' || !mistyped.includes(e.instancePath))
  return counted
    .map(({ keyword, instancePath, params, parentSchema }) => {
      const isTime = keyword === 'pattern' && parentSchema?.format === 'date-time'
      const key: unknown = params.missingProperty ?? params.additionalProperty
      const last =
        key === undefined ? '' : `/${String(key).replaceAll('~', '~0').replaceAll('/', '~1')}`
      return `${isTime ? 'format' : keyword} ${instancePath}${last}`
    })
    .sort()
}

const camel = (code: string) =>
  code.replace('schema/', '').replace(/-(\w)/g, (_, c: string) => c.toUpperCase())

describe.each(contracts.map(contract => [contract.id, contract] as const))('%s', (id, contract) => {
  const schema = read(`${id}.json`)
  const nodes = [...nodesOf(schema)]
  const vectors = read(`vectors/${id}.json`) as unknown as Vectors
  const cases = [
    ...vectors.fixtures.map(v => ({ ...v, name: v.fixture })),
    ...vectors.mutations.map(v => ({
      findings: v.findings,
      value: mutate(vectors.base, v),
      name: `${v.op} ${v.path} ${JSON.stringify(v.value)?.slice(0, 60)}`,
    })),
  ]

  test('the schema says what it is and what each of its fields means', () => {
    expect(schema).toMatchObject({
      $id: contract.schemaId,
      title: expect.stringMatching(/\w/),
      description: expect.stringMatching(/\w/),
    })
    const silent = nodes
      .filter(({ at, node }) => /\/properties\/[^/]+$/.test(at) && !('$ref' in node))
      .filter(({ node }) => typeof node.description !== 'string' || node.description.trim() === '')
    expect(silent.map(({ at }) => at)).toEqual([])
  })

  test('the schema is in its dialect and uses only what all validators read alike', () => {
    const draft7 = id.startsWith('session-context.')
    expect(schema.$schema).toBe(
      draft7
        ? 'http://json-schema.org/draft-07/schema#'
        : 'https://json-schema.org/draft/2020-12/schema',
    )
    const odd = nodes.flatMap(({ at, node }) => {
      const unknown = Object.keys(node).filter(keyword => !KEYWORDS.includes(keyword))
      const patterns = [
        node.pattern,
        ...Object.entries((node.patternProperties ?? {}) as Json).flatMap(anyName),
      ]
      return [
        ...unknown.map(keyword => `${at}: ${keyword}`),
        ...patterns
          .filter(pattern => pattern !== undefined && !isPortable(String(pattern)))
          .map(p => `${at}: ${p}`),
        ...('$ref' in node && Object.keys(node).length > 1 ? [`${at}: next to $ref`] : []),
      ]
    })
    expect(odd).toEqual([])
  })

  test('there are vectors of the fixtures and of every limit', () => {
    expect(vectors.fixtures.length).toBeGreaterThan(0)
    expect(vectors.mutations.length).toBeGreaterThan(0)
    const verdicts = new Set(
      cases.map(({ findings }) => findings.some(f => f.severity === 'error')),
    )
    expect(verdicts).toEqual(new Set([true, false]))
  })

  test('the vectors say what the product finds', async () => {
    const loaded = await loadContract(contract)
    for (const { name, value, findings } of cases)
      expect(expectedFindings(loaded, value), name).toEqual(findings)
  })

  test('the official Ajv accepts the schema and finds the errors that the product finds', () => {
    const validate = compile(schema)
    for (const { name, value, findings } of cases) {
      const errors = findings.filter(f => f.severity === 'error')
      expect(validate(value), name).toBe(errors.length === 0)
      expect(codesOf(validate.errors ?? []), name).toEqual(
        errors.map(f => `${camel(f.code)} ${f.path}`).sort(),
      )
    }
  })
})

/** A pattern for any name at all demands nothing where its schema does not, so validators need not agree on it. */
function anyName([pattern, schema]: [string, unknown]): string[] {
  return pattern === '^.*$' && Object.keys(schema as Json).length === 0 ? [] : [pattern]
}

/** Classes, the end of a line and the dot mean different things to JavaScript and to Python. */
function isPortable(pattern: string): boolean {
  const rest = pattern
    .replaceAll('(?![\\s\\S])', '')
    .replaceAll(/\\u[0-9a-f]{4}|\\[^a-zA-Z0-9]/g, '')
    .replaceAll(/\[[^\]\\]*\]/g, '')
  return !/[\\$.]/.test(rest)
}

test('schemas and vectors are those of the contracts, and nothing is left over from others', () => {
  const ids = contracts.map(c => c.id).sort()
  expect(readdirSync(join(folder, 'vectors')).sort()).toEqual(ids.map(id => `${id}.json`))
  const schemas = readdirSync(folder).filter(
    name => name.endsWith('.json') && name !== 'config.v1.json',
  )
  expect(schemas.sort()).toEqual(ids.map(id => `${id}.json`))
})

// A format is released when a version of it is in use elsewhere: its schema is copied here by hand, and stays.
test('since their release schemas have only gained optional fields', () => {
  const released = readdirSync(join(folder, 'released'))
  expect(released).toContain('session-context.v1.json')
  for (const file of released) {
    expect(breachesOf(read(`released/${file}`), read(file)), file).toEqual([])
  }
})

describe('a released schema', () => {
  const name = { type: 'string', minLength: 1 }
  const item = {
    type: 'object',
    required: ['name'],
    properties: { name },
    additionalProperties: false,
  }
  const released = {
    $id: 'x',
    type: 'object',
    required: ['list'],
    properties: {
      list: { type: 'array', items: item },
      map: { type: 'object', additionalProperties: name },
    },
  }
  const having = (change: Json) => ({ ...released, ...change })
  const list = (items: Json) =>
    having({ properties: { ...released.properties, list: { type: 'array', items } } })

  test.each<[string, Json]>([
    ['stay as it is', released],
    ['change its words', having({ title: 'X', description: 'Other words.' })],
    ['gain an optional field', having({ properties: { ...released.properties, more: name } })],
    ['gain an optional field further down', list({ ...item, properties: { name, more: name } })],
    ['write a shape once and refer to it', { ...list({ $ref: '#/$defs/item' }), $defs: { item } }],
  ])('may %s', (_, current) => {
    expect(breachesOf(released, current)).toEqual([])
  })

  test.each<[string, Json, string]>([
    ['lose a field', having({ properties: { list: released.properties.list } }), '/map is gone'],
    ['require another field', having({ required: ['list', 'map'] }), '/map has become required'],
    ['drop a requirement', having({ required: [] }), '/list is no longer required'],
    [
      'require more further down',
      list({ ...item, required: ['name', 'more'] }),
      '/list/items/more has become required',
    ],
    [
      'open an object',
      list({ ...item, additionalProperties: true }),
      '/list/items/additionalProperties is another schema',
    ],
    ['change a type', having({ type: ['object', 'null'] }), 'type of the root has changed'],
    [
      'change a limit',
      list({ ...item, properties: { name: { type: 'string' } } }),
      'minLength of /list/items/name has changed',
    ],
    [
      'gain a limit',
      list({ ...item, properties: { name: { ...name, pattern: '^a' } } }),
      'pattern of /list/items/name has changed',
    ],
    [
      'change a map',
      having({ properties: { ...released.properties, map: { type: 'object' } } }),
      '/map/additionalProperties is another schema',
    ],
    ['change its id', having({ $id: 'y' }), '$id of the root has changed'],
    [
      'refer to another shape',
      { ...list({ $ref: '#/$defs/item' }), $defs: { item: { ...item, required: [] } } },
      '/list/items/name is no longer required',
    ],
  ])('may not %s', (_, current, breach) => {
    expect(breachesOf(released, current)).toEqual([breach])
  })
})
