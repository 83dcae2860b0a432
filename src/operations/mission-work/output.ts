import type { TypeOf } from '../operation.ts'

const schema = {
  type: 'object',
  required: ['worker', 'event'],
  properties: {
    worker: { type: 'string', description: 'The id of the worker, a UUID.' },
    event: { type: 'string', enum: ['started', 'stopped'], description: 'What it did.' },
  },
  additionalProperties: false,
  title: 'Output of waybill mission work',
  description: 'One thing that a worker tells.',
} as const

/** What `mission work` tells. */
export type MissionWorkOutput = TypeOf<typeof schema>
export default schema
