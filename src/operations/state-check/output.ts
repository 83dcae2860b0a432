import { Report } from '../check/output.ts'
import type { TypeOf } from '../operation.ts'

const schema = {
  type: 'object',
  required: ['report', 'form', 'demanded', 'why', 'compared', 'written'],
  properties: {
    report: Report,
    form: {
      enum: ['MIN', 'FULL', null],
      description: 'How it is written; null where that is unclear.',
    },
    demanded: {
      enum: ['MIN', 'FULL', null],
      description: 'How it has to be written in its phase.',
    },
    why: { type: ['string', 'null'], description: 'Why it has to be written so.' },
    compared: { type: 'boolean', description: 'Whether it was compared with the state before it.' },
    written: {
      enum: ['by-waybill', 'by-hand', 'unknown'],
      description: 'Whether its bytes are those that a recorded move wrote.',
    },
  },
  additionalProperties: false,
  title: 'Output of waybill state check',
  description: 'What is wrong with the state of a session, and what only makes sense for a state.',
} as const

/** What `state check` answers. */
export type StateCheckOutput = TypeOf<typeof schema>
export default schema
