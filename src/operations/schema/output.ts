import Type from 'typebox'
import type { Schema } from '../../contract/index.ts'
import type { OutputOf } from '../operation.ts'

const closed = { additionalProperties: false } as const

const Contract = Type.Object(
  {
    name: Type.String({ description: 'The name of the contract.' }),
    version: Type.String({ description: 'Its major version.' }),
    title: Type.String({ description: 'What people call such a document.' }),
    formats: Type.Array(
      Type.Enum(['json', 'yaml', 'markdown'], { description: 'One way of writing.' }),
      { description: 'How such documents may be written.' },
    ),
    schemaId: Type.String({ description: 'The `$id` of its JSON Schema.' }),
  },
  { ...closed, description: 'One contract.' },
)

const List = Type.Object(
  { contracts: Type.Array(Contract, { description: 'Every contract that there is.' }) },
  { ...closed, description: 'The answer without a name.' },
)

/** A schema may hold anything; that it names itself tells it from a list. */
const Document = Type.Object(
  {
    $schema: Type.String({ description: 'The dialect of JSON Schema that it is written in.' }),
    $id: Type.String({ description: 'What it is called.' }),
  },
  {
    additionalProperties: Type.Unknown(),
    description: 'The answer for a name: a JSON Schema as it is published.',
  },
)

const schema = Type.Union([List, Type.Unsafe<Schema>(Document)], {
  type: 'object',
  title: 'Output of waybill schema',
  description: 'The contracts that there are, or the JSON Schema of one.',
})

/** A contract in the list. */
export type ListedContract = OutputOf<typeof Contract>

/** What `schema` answers: all contracts, or one JSON Schema as it is. */
export type SchemaOutput = OutputOf<typeof schema>
export default schema
