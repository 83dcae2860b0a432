import type { TypeOf } from '../operation.ts'

/** The schema of a note. */
export const NoteSchema = {
  type: 'object',
  required: ['id', 'kind', 'text', 'at', 'by', 'done'],
  properties: {
    id: { type: 'string', description: 'Its id, for --done.' },
    kind: { enum: ['rule', 'decision', 'fact', 'open'], description: 'What it is about.' },
    text: { type: 'string', description: 'Its words.' },
    scope: { type: 'string', description: 'The commands or paths that a rule is about.' },
    rejected: {
      type: 'array',
      items: { type: 'string', description: 'One alternative.' },
      description: 'The rejected alternatives of a decision.',
    },
    at: { type: 'string', description: 'When it was written.' },
    by: { type: 'string', description: 'Who wrote it.' },
    done: { type: 'boolean', description: 'Whether it is done.' },
  },
  additionalProperties: false,
  description: 'A note for the next handoff.',
} as const

const schema = {
  type: 'object',
  required: ['note', 'done', 'waiting'],
  properties: {
    note: {
      anyOf: [NoteSchema, { type: 'null', description: 'Something was marked as done instead.' }],
      description: 'The note that was written.',
    },
    done: { type: ['string', 'null'], description: 'The item that was marked as done.' },
    waiting: {
      type: 'integer',
      minimum: 0,
      description: 'Number of notes that wait for the next handoff.',
    },
  },
  additionalProperties: false,
  title: 'Output of waybill note',
  description: 'What was noted for the next handoff.',
} as const

/** A note, as outputs list it. */
export type NoteOutput = TypeOf<typeof schema>

/** A note of an output. */
export type ListedNote = TypeOf<typeof NoteSchema>
export default schema
