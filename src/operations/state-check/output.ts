import { Report } from '../check/output.ts'
import type { TypeOf } from '../operation.ts'

const schema = {
  type: 'object',
  required: ['report', 'form', 'demanded', 'why', 'compared', 'written'],
  properties: {
    report: Report,
    form: {
      enum: ['MIN', 'FULL', null],
      description: 'The form of the state; null when unclear.',
    },
    demanded: {
      enum: ['MIN', 'FULL', null],
      description: 'The form that its phase requires.',
    },
    why: { type: ['string', 'null'], description: 'Why the phase requires it.' },
    compared: { type: 'boolean', description: 'Whether it was compared with a previous state.' },
    written: {
      enum: ['by-waybill', 'by-hand', 'unknown'],
      description: 'Whether waybill wrote its current bytes.',
    },
  },
  additionalProperties: false,
  title: 'Output of waybill state check',
  description: 'The check of a session state, with facts specific to states.',
} as const

/** The output of `state check`. */
export type StateCheckOutput = TypeOf<typeof schema>
export default schema
