import { LogFacts } from '../log/output.ts'
import type { TypeOf } from '../operation.ts'
import { Passed } from '../receive/output.ts'

const text = (description: string) => ({ type: 'string', description }) as const
const textOrNull = (description: string) => ({ type: ['string', 'null'], description }) as const

const schema = {
  type: 'object',
  required: [
    ...['outcome', 'origin', 'index', 'digest', 'kind', 'by', 'standing', 'keyid', 'at', 'reason'],
    ...['receipt', 'removed', 'alsoHolding', 'beside', 'notErased'],
  ],
  properties: {
    outcome: {
      enum: ['erased', 'was-erased'],
      description: 'Whether it was erased now, or had been before.',
    },
    origin: LogFacts.origin,
    index: { type: 'integer', minimum: 0, description: 'The place of the entry in the log.' },
    digest: text('Its name: SHA-256 of what was signed, in hex.'),
    kind: textOrNull('What it was.'),
    by: text('Who erased it.'),
    standing: {
      enum: ['proved', 'claimed', null],
      description: 'Whether a key shows who that is; null where no entry says it.',
    },
    keyid: textOrNull('The key that shows it; null where none was used now.'),
    at: text('When, ISO 8601.'),
    reason: text('Why.'),
    receipt: {
      anyOf: [Passed.receipt, { type: 'null', description: 'Nothing new was recorded.' }],
      description: 'The promise of the log that it holds the entry about the erasure.',
    },
    removed: {
      type: 'array',
      items: text('A path, from the root.'),
      description: 'Files in .waybill that held the same and were removed.',
    },
    alsoHolding: {
      type: 'array',
      items: {
        type: 'object',
        required: ['index', 'digest', 'kind'],
        properties: {
          index: { type: 'integer', minimum: 0, description: 'Its place in the log.' },
          digest: text('Its name.'),
          kind: text('What it is.'),
        },
        additionalProperties: false,
        description: 'An entry.',
      },
      description: 'Entries about the same handoff that still hold its text.',
    },
    beside: {
      type: 'array',
      items: text('A path, from the root.'),
      description: 'Files of the repository that were found to be about the same, and were left.',
    },
    notErased: {
      type: 'array',
      items: text('A sentence.'),
      description: 'What else may hold the same, and was not touched.',
    },
  },
  additionalProperties: false,
  title: 'Output of waybill log erase',
  description: 'An entry whose content was erased, and what was not.',
} as const

/** What `log erase` answers. */
export type LogEraseOutput = TypeOf<typeof schema>
export default schema
