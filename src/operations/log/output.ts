import type { EntrySummary } from '../../governance/index.ts'
import type { TypeOf } from '../operation.ts'

const text = (description: string) => ({ type: 'string', description }) as const
const textOrNull = (description: string) => ({ type: ['string', 'null'], description }) as const
const texts = (one: string, description: string) =>
  ({ type: 'array', items: { type: 'string', description: one }, description }) as const

/** The schema of an entry in a list. */
export const ListedEntry = {
  type: 'object',
  required: [
    ...['index', 'state', 'digest', 'kind', 'at', 'from', 'to', 'agents', 'ids', 'codes'],
    ...['by', 'standing', 'note'],
  ],
  properties: {
    index: { type: 'integer', minimum: 0, description: 'The index of the entry.' },
    state: {
      enum: ['kept', 'erased', 'differs', 'unreadable'],
      description: 'Whether it is intact, erased, changed (differs) or unreadable.',
    },
    digest: textOrNull('Its digest: SHA-256 of the signed payload, in hex; null if unreadable.'),
    kind: textOrNull('The kind of entry, such as `handoff-accepted`.'),
    at: textOrNull('Gateway time, ISO 8601; null if erased.'),
    from: textOrNull('The source agent of a handoff.'),
    to: textOrNull('The target agent of a handoff.'),
    agents: texts('A canonical id.', 'All agents concerned.'),
    ids: {
      type: 'object',
      properties: {
        handoff: text('The handoff.'),
        session: text('The session.'),
        mission: text('The mission.'),
        task: text('The task of a mission.'),
        artifacts: texts('An artifact.', 'The artifacts.'),
        record: text('The digest of a record from outside of the log.'),
        decision: text('The digest that identifies the decision on a proposed write-back.'),
        document: text('The digest of the document that a record is about.'),
        entry: text('The digest of another entry that it is about.'),
        previous: text('The digest of the previous handoff in the conversation.'),
      } satisfies Record<keyof EntrySummary['ids'], unknown>,
      additionalProperties: false,
      description: 'The ids that find it.',
    },
    codes: texts('A code.', 'Codes of diagnostics, errors first, without messages.'),
    by: textOrNull('Who stated, erased or recorded it.'),
    standing: {
      enum: ['proved', 'claimed', null],
      description:
        'Whether a key proves the identity or only a name claims it; null if not a statement.',
    },
    note: textOrNull('Further details in a few words.'),
  },
  additionalProperties: false,
  description: 'One entry.',
} as const

/** The schema of facts about the log as a whole. */
export const LogFacts = {
  origin: textOrNull('The name of the log; null if there is none.'),
  size: { type: 'integer', minimum: 0, description: 'Number of published entries.' },
} as const

/** One entry in a list. */
export type ListedEntryOutput = TypeOf<typeof ListedEntry>
