import { NoteSchema } from '../note/output.ts'
import type { TypeOf } from '../operation.ts'

const schema = {
  type: 'object',
  required: ['branch', 'notes', 'elsewhere'],
  properties: {
    branch: {
      type: ['string', 'null'],
      description: 'The checked-out branch; null for a detached head and outside a repository.',
    },
    notes: {
      type: 'array',
      items: NoteSchema,
      description: 'The notes that no handoff has taken, oldest first.',
    },
    elsewhere: {
      type: 'integer',
      minimum: 0,
      description: 'The number of notes of other branches and work trees that are not listed.',
    },
  },
  additionalProperties: false,
  title: 'Output of waybill note list',
  description: 'The notes for the next handoff.',
} as const

/** The output of `note list`. */
export type NoteListOutput = TypeOf<typeof schema>
export default schema
