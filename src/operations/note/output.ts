import type { TypeOf } from '../operation.ts'

/** The schema of one note. */
export const NoteSchema = {
  type: 'object',
  required: [
    ...['id', 'kind', 'text', 'scope', 'rejected', 'document', 'why'],
    ...['at', 'by', 'branch', 'worktree', 'done'],
  ],
  properties: {
    id: { type: 'string', description: 'Its id, such as n-7k2p.' },
    kind: {
      enum: ['rule', 'decision', 'fact', 'open', 'done'],
      description: 'What it is; `done` is the answer about an open item of a handoff.',
    },
    text: { type: 'string', description: 'Its line; for `done` the text of the item.' },
    scope: {
      type: ['string', 'null'],
      description: 'What a rule is about: a command or path pattern, or null.',
    },
    rejected: {
      type: 'array',
      items: { type: 'string', description: 'An alternative.' },
      description: 'The alternatives that a decision rejects.',
    },
    document: {
      type: ['string', 'null'],
      description: 'The handoff that has the item, for `done`, or null.',
    },
    why: { type: ['string', 'null'], description: 'The reason, for `done`, or null.' },
    at: { type: 'string', description: 'When it was written, ISO 8601.' },
    by: { type: 'string', description: 'Who wrote it; the name is not proved.' },
    branch: {
      type: ['string', 'null'],
      description: 'The branch whose next handoff takes it; null if no branch was checked out.',
    },
    worktree: {
      type: 'string',
      description: 'The linked work tree that it belongs to; empty for the main one.',
    },
    done: {
      anyOf: [
        {
          type: 'object',
          required: ['at', 'by', 'why'],
          properties: {
            at: { type: 'string', description: 'When, ISO 8601.' },
            by: { type: 'string', description: 'Who ticked it off; the name is not proved.' },
            why: { type: ['string', 'null'], description: 'The reason, or null.' },
          },
          additionalProperties: false,
          description: 'The end of an open item.',
        },
        { type: 'null', description: 'It is not done.' },
      ],
      description: 'Who ticked off an open item before a handoff took it, or null.',
    },
  },
  additionalProperties: false,
  description: 'A note.',
} as const

/** One note in an output. */
export type ShownNote = TypeOf<typeof NoteSchema>

const schema = {
  type: 'object',
  required: ['change', 'note'],
  properties: {
    change: {
      enum: ['added', 'done', 'dropped'],
      description: 'Whether the note is new, its item is done, or it was dropped.',
    },
    note: NoteSchema,
  },
  additionalProperties: false,
  title: 'Output of waybill note',
  description: 'The note that was written or ended.',
} as const

/** The output of `note`. */
export type NoteOutput = TypeOf<typeof schema>
export default schema
