import { LogFacts } from '../log/output.ts'
import type { TypeOf } from '../operation.ts'

const schema = {
  type: 'object',
  required: ['outcome', 'to', 'origin', 'size', 'root', 'sealed', 'configured'],
  properties: {
    outcome: {
      enum: ['moved', 'was-moved', 'nothing-to-move'],
      description:
        'Whether the log was moved now, had been before, or never had an entry here: then it begins in the database.',
    },
    to: { const: 'postgres', description: 'Where the log is kept from now on.' },
    origin: LogFacts.origin,
    size: { type: 'integer', minimum: 0, description: 'How many entries were moved.' },
    root: {
      type: ['string', 'null'],
      description:
        'The root of the tree, the same there as it was here, in hex; null where nothing was moved.',
    },
    sealed: {
      type: 'string',
      description: 'The folder that refuses appends from now on, from the root.',
    },
    configured: {
      type: 'boolean',
      description: 'Whether waybill.yaml says ledger: postgres; until it does nothing is written.',
    },
  },
  additionalProperties: false,
  title: 'Output of waybill log migrate',
  description: 'What became of the log that was to be moved.',
} as const

/** What `log migrate` answers. */
export type LogMigrateOutput = TypeOf<typeof schema>
export default schema
