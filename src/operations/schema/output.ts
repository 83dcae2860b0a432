import type { Schema } from '../../contract/index.ts'
import type { TypeOf } from '../operation.ts'

const Contract = {
  type: 'object',
  required: ['name', 'version', 'title', 'formats', 'schemaId'],
  properties: {
    name: { type: 'string', description: 'The name of the contract.' },
    version: { type: 'string', description: 'Its major version.' },
    title: { type: 'string', description: 'Its title.' },
    formats: {
      type: 'array',
      items: { enum: ['json', 'yaml', 'markdown'], description: 'One format.' },
      description: 'The formats of such documents.',
    },
    schemaId: { type: 'string', description: 'The `$id` of its JSON Schema.' },
  },
  additionalProperties: false,
  description: 'One contract.',
} as const

const List = {
  type: 'object',
  required: ['contracts'],
  properties: {
    contracts: { type: 'array', items: Contract, description: 'All contracts.' },
  },
  additionalProperties: false,
  description: 'The output without a name.',
} as const

/** A schema may have any keywords; `$schema` and `$id` distinguish it from the list. */
const Document = {
  type: 'object',
  required: ['$schema', '$id'],
  properties: {
    $schema: { type: 'string', description: 'The dialect of JSON Schema.' },
    $id: { type: 'string', description: 'Its id.' },
  },
  additionalProperties: {},
  description: 'The output for a name: the published JSON Schema.',
} as const

const schema = {
  anyOf: [List, Document],
  type: 'object',
  title: 'Output of waybill schema',
  description: 'All contracts, or the JSON Schema of one.',
} as const

/** A contract in the list. */
export type ListedContract = TypeOf<typeof Contract>

/** The output of `schema`: all contracts, or one JSON Schema. */
export type SchemaOutput = TypeOf<typeof List> | Schema
export default schema
