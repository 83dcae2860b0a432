import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { readOperations } from '../scripts/generate/operations.ts'
import { fileNameOf } from '../src/operations/operation.ts'

export type Json = Record<string, unknown>

/** The names of all operations. */
export const verbs: readonly string[] = (await readOperations()).map(operation => operation.name)

/** The folder of the schemas that say what operations answer. */
export const published = join(import.meta.dirname, '../schemas/output')

/** The published schema of what a verb answers. */
export function readSchema(verb: string): Json {
  return JSON.parse(readFileSync(join(published, `${fileNameOf(verb)}.json`), 'utf8'))
}

const ajv = new Ajv2020({
  allErrors: true,
  strict: true,
  strictRequired: true,
  allowUnionTypes: true,
})
const validators = new Map(verbs.map(verb => [verb, ajv.compile(readSchema(verb))]))

/** What the published schema of a verb has against its output; nothing where it accepts it. */
export function faultsOf(verb: string, output: unknown): string[] {
  const validate = validators.get(verb)
  if (!validate) throw new Error(`${verb} has no schema`)
  validate(output)
  return (validate.errors ?? []).map(
    e => `${e.instancePath} ${e.message} ${JSON.stringify(e.params)}`,
  )
}
