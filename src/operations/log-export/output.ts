import { LogFacts } from '../log/output.ts'
import type { TypeOf } from '../operation.ts'

const text = (description: string) => ({ type: 'string', description }) as const

/** One entry as a CloudEvent (CloudEvents 1.0, JSON format). */
export const CloudEventSchema = {
  type: 'object',
  required: ['specversion', 'id', 'source', 'type', 'datacontenttype', 'logindex', 'data'],
  properties: {
    specversion: { enum: ['1.0'], description: 'The version of CloudEvents.' },
    id: text('The digest of the entry: SHA-256 of the signed payload, in hex.'),
    source: text('The origin of the log.'),
    type: text('The predicate type of the statement.'),
    subject: text('The id of the subject.'),
    time: text('Gateway time (RFC 3339); absent if erased.'),
    datacontenttype: { enum: ['application/json'], description: 'The media type of data.' },
    logindex: { type: 'integer', minimum: 0, description: 'The index of the entry.' },
    logstate: {
      enum: ['erased', 'differs', 'unreadable'],
      description:
        'Why there is no statement: erased, changed or unreadable; absent if there is one.',
    },
    data: {
      type: 'object',
      properties: {},
      additionalProperties: true,
      description: 'The statement; for an erased entry its ids and who erased it.',
    },
  },
  additionalProperties: false,
  description: 'One entry as a CloudEvent.',
} as const

const schema = {
  type: 'object',
  required: ['origin', 'size', 'from', 'next', 'out', 'count', 'changed', 'events'],
  properties: {
    ...LogFacts,
    from: { type: 'integer', minimum: 0, description: 'The first exported index.' },
    next: {
      type: ['integer', 'null'],
      description: 'The next index for --from; null if everything was exported.',
    },
    out: {
      type: ['string', 'null'],
      description: 'Path of the written file or folder from the root.',
    },
    count: { type: 'integer', minimum: 0, description: 'Number of exported entries.' },
    changed: {
      type: 'array',
      items: { type: 'integer', minimum: 0, description: 'An index.' },
      description: 'Exported entries that were changed or cannot be read.',
    },
    events: {
      type: 'array',
      items: CloudEventSchema,
      description: 'The events; empty if a file or folder was written.',
    },
  },
  additionalProperties: false,
  title: 'Output of waybill log export',
  description: 'Entries of the log as CloudEvents 1.0.',
} as const

/** One entry as a CloudEvent. */
export type CloudEvent = TypeOf<typeof CloudEventSchema>

/** The output of `log export`. */
export type LogExportOutput = TypeOf<typeof schema>
export default schema
