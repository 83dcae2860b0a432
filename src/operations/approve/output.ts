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
    outcome: { enum: ['recorded', 'would-record'], description: 'Whether it stands in the log.' },
    decision: { enum: ['approved', 'rejected'], description: 'What the person says.' },
    handoff: text('The id of the handoff.'),
    from: textOrNull('The source agent, as the document says.'),
    to: textOrNull('The target agent, as the document says.'),
    sha256: text(
      'SHA-256 of the canonical JSON of the document (RFC 8785), in hex: what the person speaks of.',
    ),
    by: textOrNull('Who says it; null for a dry run.'),
    standing: {
      enum: ['proved', 'claimed', null],
      description: 'Whether a key shows who that is, or only a name says it; null for a dry run.',
    },
    keyid: textOrNull('The key that shows it; null where none does.'),
    receipt: {
      anyOf: [Passed.receipt, { type: 'null', description: 'Nothing was recorded.' }],
      description: 'The promise of the log that it holds the statement.',
    },
  },
  additionalProperties: false,
  title: 'Output of waybill approve',
  description: 'What a person says of one handoff, and by what it is shown.',
} as const

/** What `approve` answers. */
export type ApproveOutput = TypeOf<typeof schema>
export default schema
