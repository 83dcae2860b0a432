import type { TypeOf } from '../operation.ts'

const schema = {
  type: 'object',
  required: ['worker', 'event'],
  properties: {
    worker: { type: 'string', description: 'The id of the worker, a UUID.' },
    event: { type: 'string', enum: ['started', 'stopped'], description: 'What happened.' },
  },
  additionalProperties: false,
  title: 'Output of waybill mission work',
  description: 'One event of a worker.',
} as const

/** What `mission work` reports. */
export type MissionWorkOutput = TypeOf<typeof schema>
export default schema
