import type { Schema } from '../../contract/index.ts'
import type { TypeOf } from '../operation.ts'

const Contract = {
  type: 'object',
  required: ['name', 'version', 'title', 'formats', 'schemaId'],
  properties: {
    name: { type: 'string', description: 'The name of the contract.' },
    version: { type: 'string', description: 'Its major version.' },
    title: { type: 'string', description: 'What people call such a document.' },
    formats: {
      type: 'array',
      items: { enum: ['json', 'yaml', 'markdown'], description: 'One way of writing.' },
      description: 'How such documents may be written.',
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
    contracts: { type: 'array', items: Contract, description: 'Every contract that there is.' },
  },
  additionalProperties: false,
  description: 'The answer without a name.',
} as const

/** A schema may hold anything; that it names itself tells it from a list. */
const Document = {
  type: 'object',
  required: ['$schema', '$id'],
  properties: {
    $schema: { type: 'string', description: 'The dialect of JSON Schema that it is written in.' },
    $id: { type: 'string', description: 'What it is called.' },
  },
  additionalProperties: {},
  description: 'The answer for a name: a JSON Schema as it is published.',
} as const

const schema = {
  anyOf: [List, Document],
  type: 'object',
  title: 'Output of waybill schema',
  description: 'The contracts that there are, or the JSON Schema of one.',
} as const

/** A contract in the list. */
export type ListedContract = TypeOf<typeof Contract>

/** What `schema` answers: all contracts, or one JSON Schema as it is. */
export type SchemaOutput = TypeOf<typeof List> | Schema
export default schema
