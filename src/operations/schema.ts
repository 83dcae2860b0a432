import { nearest, quote, type Schema } from '../contract/index.ts'
import { contracts, findContract, loadContract } from '../contracts/index.ts'
import { WaybillError } from '../error.ts'
import { defineOperation } from './operation.ts'
import type { SchemaOutput } from './schema/output.ts'

const CONFIG = 'config'

const input = {
  type: 'object',
  properties: {
    name: {
      type: 'string',
      positional: true,
      description:
        'A contract such as session-context, or config for waybill.yaml (default: list all).',
    },
  },
} as const

/** Lists the contracts, or prints the JSON Schema of one. */
export default defineOperation({
  name: 'schema',
  summary: 'List the contracts, or print the JSON Schema of one',
  description:
    'A contract is named by its name (for the newest version), its name and version, or its schema id. The schema covers ' +
    'the structure; waybill explain lists the further rules.',
  examples: [
    { command: 'waybill schema', does: 'list the contracts' },
    { command: 'waybill schema session-context > schema.json', does: 'write one schema to a file' },
    { command: 'waybill schema config', does: 'print the schema of waybill.yaml' },
  ],
  actor: 'any',
  effect: 'read',
  input,
  run: ({ name }) => schemaOf(name),
})

async function schemaOf(name: string | undefined): Promise<SchemaOutput> {
  if (name === undefined) {
    return {
      contracts: contracts.map(({ name, version, title, formats, schemaId }) => ({
        name,
        version,
        title,
        formats,
        schemaId,
      })),
    }
  }
  if (name === CONFIG || name === 'config.v1' || name === 'waybill.yaml') {
    const { default: schema } = await import('../../schemas/config.v1.json', {
      with: { type: 'json' },
    })
    return schema as Schema
  }
  const contract = findContract(name) ?? contracts.find(c => c.schemaId === name)
  if (contract) return (await loadContract(contract)).schema
  const meant = nearest(name, [...contracts.map(c => c.name), CONFIG])
  throw new WaybillError('not-found', `there is no contract ${quote(name)}`, {
    hint: meant ? `did you mean ${meant}?` : 'waybill schema lists the contracts',
  })
}
