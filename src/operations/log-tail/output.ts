import { ListedEntry, LogFacts } from '../log/output.ts'
import type { TypeOf } from '../operation.ts'

const schema = {
  type: 'object',
  required: ['origin', 'size', 'entries'],
  properties: {
    ...LogFacts,
    entries: { type: 'array', items: ListedEntry, description: 'The entries, newest last.' },
  },
  additionalProperties: false,
  title: 'Output of waybill log tail',
  description: 'The latest entries of the log.',
} as const

/** The output of `log tail`. */
export type LogTailOutput = TypeOf<typeof schema>
export default schema
