import { LogFacts } from '../log/output.ts'
import type { TypeOf } from '../operation.ts'

const text = (description: string) => ({ type: 'string', description }) as const

/** One entry as a CloudEvent (CloudEvents 1.0, JSON format). */
export const CloudEventSchema = {
  type: 'object',
  required: ['specversion', 'id', 'source', 'type', 'datacontenttype', 'logindex', 'data'],
  properties: {
    specversion: { enum: ['1.0'], description: 'The version of CloudEvents.' },
    id: text('The name of the entry: SHA-256 of what was signed, in hex.'),
    source: text('The origin of the log.'),
    type: text('The kind of statement: its predicate type.'),
    subject: text('The id of what it is about.'),
    time: text('Gateway time (RFC 3339); absent where it was erased.'),
    datacontenttype: { enum: ['application/json'], description: 'What data is.' },
    logindex: { type: 'integer', minimum: 0, description: 'The place of the entry in the log.' },
    logstate: {
      enum: ['erased', 'differs', 'unreadable'],
      description:
        'Why there is no statement: it was erased, is not what was recorded, or cannot be read; absent where there is one.',
    },
    data: {
      type: 'object',
      properties: {},
      additionalProperties: true,
      description: 'What is stated; for an erased entry its ids and who erased it.',
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
    from: { type: 'integer', minimum: 0, description: 'The first index that was exported.' },
    next: {
      type: ['integer', 'null'],
      description: 'Where to go on with --from; null where everything was exported.',
    },
    out: {
      type: ['string', 'null'],
      description: 'The file or folder that was written, from the root.',
    },
    count: { type: 'integer', minimum: 0, description: 'How many entries were exported.' },
    changed: {
      type: 'array',
      items: { type: 'integer', minimum: 0, description: 'An index.' },
      description: 'Those of them that are not what was recorded, or cannot be read.',
    },
    events: {
      type: 'array',
      items: CloudEventSchema,
      description: 'The events; none where a file or folder was written.',
    },
  },
  additionalProperties: false,
  title: 'Output of waybill log export',
  description: 'Entries of the log as CloudEvents 1.0.',
} as const

/** One entry as a CloudEvent. */
export type CloudEvent = TypeOf<typeof CloudEventSchema>

/** What `log export` answers. */
export type LogExportOutput = TypeOf<typeof schema>
export default schema
