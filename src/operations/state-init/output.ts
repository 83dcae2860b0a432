import type { TypeOf } from '../operation.ts'
import { StateSummary } from '../state/output.ts'

const schema = {
  type: 'object',
  required: ['path', 'sha256', 'state', 'next'],
  properties: {
    path: { type: 'string', description: 'The new file, from the root.' },
    sha256: { type: 'string', description: 'The SHA-256 of its bytes, for --expect.' },
    state: StateSummary,
    next: {
      type: 'array',
      items: {
        type: 'object',
        required: ['command', 'does'],
        properties: {
          command: { type: 'string', description: 'A command line.' },
          does: { type: 'string', description: 'What it does.' },
        },
        additionalProperties: false,
        description: 'One next step.',
      },
      description: 'Next steps.',
    },
  },
  additionalProperties: false,
  title: 'Output of waybill state init',
  description: 'The state file of a new session.',
} as const

/** The output of `state init`. */
export type StateInitOutput = TypeOf<typeof schema>
export default schema
