import type { TypeOf } from '../operation.ts'
import { Passed } from '../receive/output.ts'

const schema = {
  type: 'object',
  required: ['answer', ...(Object.keys(Passed) as (keyof typeof Passed)[]), 'document', 'envelope'],
  properties: {
    answer: {
      enum: ['sent', 'needs-input', 'rejected'],
      description: 'Whether the handoff was signed and recorded, or why it was not.',
    },
    ...Passed,
    document: {
      type: ['string', 'null'],
      description: 'Where the handoff was written, from the root; null where it was not sent.',
    },
    envelope: {
      type: ['string', 'null'],
      description: 'Where its signed envelope was written; null where it was not sent.',
    },
    note: {
      type: 'string',
      description: 'What the draft needs before somebody can supply what is missing.',
    },
  },
  additionalProperties: false,
  title: 'Output of waybill send',
  description: 'What came of sending a handoff, and the receipt for it.',
} as const

/** What `send` answers. */
export type SendOutput = TypeOf<typeof schema>
export default schema
