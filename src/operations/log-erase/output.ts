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
      description: 'Whether it was erased now or before.',
    },
    origin: LogFacts.origin,
    index: { type: 'integer', minimum: 0, description: 'The index of the entry.' },
    digest: text('Its digest: SHA-256 of the signed payload, in hex.'),
    kind: textOrNull('The kind of entry.'),
    by: text('The person who erased it.'),
    standing: {
      enum: ['proved', 'claimed', null],
      description:
        'Whether a key proves the identity or only a name claims it; null if not recorded.',
    },
    keyid: textOrNull('The key used now to prove the identity, or null.'),
    at: text('Time of the erasure, ISO 8601.'),
    reason: text('The reason.'),
    receipt: {
      anyOf: [Passed.receipt, { type: 'null', description: 'Nothing new was recorded.' }],
      description: 'The receipt of the log for the erasure entry.',
    },
    removed: {
      type: 'array',
      items: text('A path from the root.'),
      description: 'Removed files in .waybill with the same content.',
    },
    alsoHolding: {
      type: 'array',
      items: {
        type: 'object',
        required: ['index', 'digest', 'kind'],
        properties: {
          index: { type: 'integer', minimum: 0, description: 'The index.' },
          digest: text('The digest.'),
          kind: text('The kind.'),
        },
        additionalProperties: false,
        description: 'An entry.',
      },
      description: 'Other entries that still contain the text of the handoff.',
    },
    beside: {
      type: 'array',
      items: text('A path from the root.'),
      description: 'Files of the repository about the same handoff, which were kept.',
    },
    notErased: {
      type: 'array',
      items: text('A sentence.'),
      description: 'Other places that may still have the content.',
    },
  },
  additionalProperties: false,
  title: 'Output of waybill log erase',
  description: 'The erased entry, and what was not erased.',
} as const

/** The output of `log erase`. */
export type LogEraseOutput = TypeOf<typeof schema>
export default schema
