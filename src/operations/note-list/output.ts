import { NoteSchema } from '../note/output.ts'
import type { TypeOf } from '../operation.ts'

const schema = {
  type: 'object',
  required: ['branch', 'notes', 'done'],
  properties: {
    branch: { type: ['string', 'null'], description: 'The branch whose notes these are.' },
    notes: { type: 'array', items: NoteSchema, description: 'The notes, oldest first.' },
    done: {
      type: 'array',
      items: { type: 'string', description: 'The words of the item.' },
      description: 'Open items of the newest handoff that are done.',
    },
  },
  additionalProperties: false,
  title: 'Output of waybill note list',
  description: 'What waits for the next handoff.',
} as const

/** The output of `note list`. */
export type NoteListOutput = TypeOf<typeof schema>
export default schema
