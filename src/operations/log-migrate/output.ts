import { LogFacts } from '../log/output.ts'
import type { TypeOf } from '../operation.ts'

const schema = {
  type: 'object',
  required: ['outcome', 'to', 'origin', 'size', 'root', 'sealed', 'configured'],
  properties: {
    outcome: {
      enum: ['moved', 'was-moved', 'nothing-to-move'],
      description:
        'Moved now, moved before, or no entries to move: the log starts in the database.',
    },
    to: { const: 'postgres', description: 'The new storage.' },
    origin: LogFacts.origin,
    size: { type: 'integer', minimum: 0, description: 'Number of moved entries.' },
    root: {
      type: ['string', 'null'],
      description:
        'The root hash of the tree, in hex, the same in both; null if nothing was moved.',
    },
    sealed: {
      type: 'string',
      description: 'Path from the root of the sealed folder, which refuses appends.',
    },
    configured: {
      type: 'boolean',
      description: 'Whether waybill.yaml says ledger: postgres; otherwise nothing can be recorded.',
    },
  },
  additionalProperties: false,
  title: 'Output of waybill log migrate',
  description: 'The outcome of moving the log.',
} as const

/** The output of `log migrate`. */
export type LogMigrateOutput = TypeOf<typeof schema>
export default schema
