import type { TypeOf } from '../operation.ts'

const Item = {
  type: 'object',
  required: ['name', 'status', 'message'],
  properties: {
    name: { type: 'string', description: 'What was checked.' },
    status: { enum: ['ok', 'warning', 'error'], description: 'The result of the check.' },
    message: { type: 'string', description: 'The details.' },
    remedy: { type: 'string', description: 'How to fix a warning or an error.' },
  },
  additionalProperties: false,
  description: 'One check.',
} as const

const count = (description: string) => ({ type: 'integer', minimum: 0, description }) as const

const schema = {
  type: 'object',
  required: ['summary', 'items'],
  properties: {
    summary: {
      type: 'object',
      required: ['ok', 'warnings', 'errors'],
      properties: {
        ok: count('Number of checks without problems.'),
        warnings: count('Number of warnings: it works, with a limitation.'),
        errors: count('Number of errors: Waybill cannot work here.'),
      },
      additionalProperties: false,
      description: 'The totals.',
    },
    items: { type: 'array', items: Item, description: 'All checks.' },
  },
  additionalProperties: false,
  title: 'Output of waybill doctor',
  description: 'The checks of the installation and the repository.',
} as const

/** One check: its result and, if it is not ok, the remedy. */
export type DoctorItem = TypeOf<typeof Item>

/** The output of `doctor`. */
export type DoctorOutput = TypeOf<typeof schema>
export default schema
