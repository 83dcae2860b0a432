import type { TypeOf } from '../operation.ts'

const Item = {
  type: 'object',
  required: ['name', 'status', 'message'],
  properties: {
    name: { type: 'string', description: 'What was looked at.' },
    status: { enum: ['ok', 'warning', 'error'], description: 'How it was found.' },
    message: { type: 'string', description: 'What was found.' },
    remedy: { type: 'string', description: 'What to do about it, where it is not well.' },
  },
  additionalProperties: false,
  description: 'One thing that was looked at.',
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
        ok: count('How many things are as they should be.'),
        warnings: count('How many things work, but not as well as they could.'),
        errors: count('How many things keep Waybill from working here.'),
      },
      additionalProperties: false,
      description: 'The result in figures.',
    },
    items: { type: 'array', items: Item, description: 'Everything that was looked at.' },
  },
  additionalProperties: false,
  title: 'Output of waybill doctor',
  description: 'How the installation and the repository are, and what to do.',
} as const

/** One thing that was looked at: what was found and, where it is not well, what to do. */
export type DoctorItem = TypeOf<typeof Item>

/** What `doctor` answers. */
export type DoctorOutput = TypeOf<typeof schema>
export default schema
