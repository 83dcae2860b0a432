import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import {
  as,
  type Contract,
  type LoadedContract,
  type Schema,
  type Validate,
} from '../../src/contract/index.ts'
import { checkStructure } from '../../src/contract/structure.ts'
import { formatPointer } from '../../src/document/index.ts'
import { type Fixture, fixturesOf, readFixture } from '../../test/fixture.ts'
import { contractIds } from './contracts.ts'
import { type Mutation, mutate, mutationsOf } from './mutations.ts'
import { complete } from './sample.ts'
import { root, writeGenerated } from './write.ts'

/** A structural finding that every validator must report. */
export interface ExpectedFinding {
  readonly code: string
  readonly path: string
  readonly severity: string
}

/** The conformance vectors of a contract: values with their structural findings. */
export interface Vectors {
  readonly contract: string
  readonly schema: string
  /** The example with its optional keys, to which the mutations apply. */
  readonly base?: unknown
  readonly fixtures: readonly {
    readonly fixture: string
    readonly value: unknown
    readonly findings: readonly ExpectedFinding[]
  }[]
  readonly mutations: readonly (Mutation & { readonly findings: readonly ExpectedFinding[] })[]
  readonly leftOut: readonly { readonly fixture: string; readonly why: string }[]
}

/** Writes the conformance vectors of every contract: its fixtures, and its example mutated at every limit of the schema. */
export async function generateVectors(): Promise<void> {
  for (const id of contractIds()) {
    const vectors = await vectorsOf(await loadStructure(id))
    writeGenerated(`schemas/vectors/${id}.json`, print(vectors))
  }
}

/** Loads a contract directly, since the catalogue may not contain a new one yet. */
async function loadStructure(id: string): Promise<LoadedContract> {
  const folder = join(root, 'src/contracts', id)
  const { default: contract } = (await import(join(folder, 'contract.ts'))) as { default: Contract }
  const { validate } = (await import(join(folder, 'validate.generated.js'))) as {
    validate: Validate
  }
  const schema = await import(join(root, `schemas/${id}.json`), { with: { type: 'json' } })
  return { contract, validate, schema: schema.default as Schema, rules: {} }
}

async function vectorsOf(loaded: LoadedContract): Promise<Vectors> {
  const { contract, schema } = loaded
  const fixtures: Vectors['fixtures'][number][] = []
  const leftOut: Vectors['leftOut'][number][] = []
  let base: unknown
  for (const fixture of fixturesOf(contract.id)) {
    const name = `${fixture.kind}/${fixture.name}`
    const read = await readValue(fixture, contract)
    if ('why' in read) leftOut.push({ fixture: name, why: read.why })
    else
      fixtures.push({
        fixture: name,
        value: read.value,
        findings: expectedFindings(loaded, read.value),
      })
    if (name === 'valid/example' && 'value' in read) base = filled(loaded, read.value)
  }
  const mutations = base === undefined ? [] : mutationsOf(schema, base)
  return {
    contract: contract.id,
    schema: contract.schemaId,
    ...(base !== undefined && { base }),
    fixtures,
    mutations: mutations.map(m => ({ ...m, findings: expectedFindings(loaded, mutate(base, m)) })),
    leftOut,
  }
}

/** The example with its optional keys, or without them if the result is invalid. */
function filled(loaded: LoadedContract, example: unknown): unknown {
  const full = complete(loaded.schema, example)
  return loaded.validate(full) ? full : example
}

async function readValue(
  fixture: Fixture,
  contract: Contract,
): Promise<{ value: unknown } | { why: string }> {
  if (!existsSync(fixture.file)) return { why: 'it is not there any more' }
  const document = await readFixture(fixture)
  const [fault] = document.faults
  if (fault) return { why: fault.code }
  const { value } = as(contract, document.value)
  const text = JSON.stringify(value)
  if (text === undefined || !isDeepStrictEqual(JSON.parse(text), value))
    return { why: 'JSON cannot carry its value' }
  return { value }
}

/** The product's structural findings on a value, in the order of the published vectors. */
export function expectedFindings(loaded: LoadedContract, value: unknown): ExpectedFinding[] {
  return checkStructure(loaded, value)
    .findings.map(({ code, path, severity }) => ({ code, path: formatPointer(path), severity }))
    .sort((a, b) => order(a.path, b.path) || order(a.code, b.code))
}

function order(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0
}

/** One vector per line, for readable diffs. */
function print(vectors: Vectors): string {
  const parts = Object.entries(vectors).map(([key, part]) => {
    const shown =
      Array.isArray(part) && part.length > 0
        ? `[\n${part.map(line => JSON.stringify(line)).join(',\n')}\n]`
        : JSON.stringify(part)
    return `${JSON.stringify(key)}: ${shown}`
  })
  return `{\n${parts.join(',\n')}\n}\n`
}
