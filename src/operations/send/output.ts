import type { TypeOf } from '../operation.ts'
import { Passed } from '../receive/output.ts'

const schema = {
  type: 'object',
  required: ['answer', ...(Object.keys(Passed) as (keyof typeof Passed)[]), 'document', 'envelope'],
  properties: {
    answer: {
      enum: ['sent', 'needs-input', 'rejected'],
      description: 'Whether the handoff was signed and recorded.',
    },
    ...Passed,
    document: {
      type: ['string', 'null'],
      description: 'The handoff file, from the root; null when not sent.',
    },
    envelope: {
      type: ['string', 'null'],
      description: 'The file of its signed envelope; null when not sent.',
    },
    rulesAdded: {
      type: 'integer',
      minimum: 1,
      description: 'How many standing rules in force were added to the constraints.',
    },
    note: {
      type: 'string',
      description: 'What the draft needs before a person can approve it.',
    },
  },
  additionalProperties: false,
  title: 'Output of waybill send',
  description: 'The result of sending a handoff, and its receipt.',
} as const

/** The output of `send`. */
export type SendOutput = TypeOf<typeof schema>
export default schema
