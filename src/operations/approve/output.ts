import type { TypeOf } from '../operation.ts'
import { Passed } from '../receive/output.ts'

const text = (description: string) => ({ type: 'string', description }) as const
const textOrNull = (description: string) => ({ type: ['string', 'null'], description }) as const

const schema = {
  type: 'object',
  required: [
    ...(['outcome', 'decision', 'handoff', 'from', 'to', 'sha256'] as const),
    ...(['by', 'standing', 'keyid', 'receipt'] as const),
  ],
  properties: {
    outcome: {
      enum: ['recorded', 'would-record'],
      description: 'Whether it is recorded in the log.',
    },
    decision: { enum: ['approved', 'rejected'], description: 'The decision of the person.' },
    handoff: text('The id of the handoff.'),
    from: textOrNull('The source agent, as stated in the document.'),
    to: textOrNull('The target agent, as stated in the document.'),
    sha256: text('SHA-256 of the canonical JSON of the document (RFC 8785), in hex.'),
    by: textOrNull('Who decides; null for a dry run.'),
    standing: {
      enum: ['proved', 'claimed', null],
      description:
        'Whether a key proves the identity or only a name claims it; null for a dry run.',
    },
    keyid: textOrNull('The key that proves the identity, or null.'),
    receipt: {
      anyOf: [Passed.receipt, { type: 'null', description: 'Nothing was recorded.' }],
      description: 'The receipt of the log for the statement.',
    },
  },
  additionalProperties: false,
  title: 'Output of waybill approve',
  description: 'The decision of a person on one handoff, and its proof.',
} as const

/** The output of `approve`. */
export type ApproveOutput = TypeOf<typeof schema>
export default schema
