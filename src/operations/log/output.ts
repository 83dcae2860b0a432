import type { EntrySummary } from '../../governance/index.ts'
import type { TypeOf } from '../operation.ts'

const text = (description: string) => ({ type: 'string', description }) as const
const textOrNull = (description: string) => ({ type: ['string', 'null'], description }) as const
const texts = (one: string, description: string) =>
  ({ type: 'array', items: { type: 'string', description: one }, description }) as const

/** What is said of an entry in short. */
export const ListedEntry = {
  type: 'object',
  required: [
    ...['index', 'state', 'digest', 'kind', 'at', 'from', 'to', 'agents', 'ids', 'codes'],
    ...['by', 'standing', 'note'],
  ],
  properties: {
    index: { type: 'integer', minimum: 0, description: 'Its place in the log.' },
    state: {
      enum: ['kept', 'erased', 'differs', 'unreadable'],
      description:
        'Whether what it says is there, was erased, is not what was recorded, or cannot be read.',
    },
    digest: textOrNull('Its name: SHA-256 of what was signed, in hex; null if unreadable.'),
    kind: textOrNull('What happened, such as `handoff-accepted`.'),
    at: textOrNull('Gateway time, ISO 8601; null where it was erased.'),
    from: textOrNull('The source agent of a handoff.'),
    to: textOrNull('The target agent of a handoff.'),
    agents: texts('A canonical id.', 'All agents that it is about.'),
    ids: {
      type: 'object',
      properties: {
        handoff: text('A handoff.'),
        session: text('A session.'),
        mission: text('A mission.'),
        task: text('A task of a mission.'),
        artifacts: texts('An artifact.', 'The artifacts that it names.'),
        record: text('A record from before the ledger, by its digest.'),
        decision: text('The one decision on a proposed write-back, by the digest that names it.'),
        document: text('The document that such a record is about, by its digest.'),
        entry: text('Another entry that it is about, by its digest.'),
        previous: text('The handoff before it in the conversation, by its digest.'),
      } satisfies Record<keyof EntrySummary['ids'], unknown>,
      additionalProperties: false,
      description: 'The ids by which it is found.',
    },
    codes: texts('A code.', 'Codes of what was found, errors first; never the words.'),
    by: textOrNull('The person who stated or erased it, or whoever made the record.'),
    standing: {
      enum: ['proved', 'claimed', null],
      description:
        'Whether a key shows who that person is, or only a name says it; null where nothing is stated.',
    },
    note: textOrNull('The rest in a few words.'),
  },
  additionalProperties: false,
  description: 'One entry in short.',
} as const

/** What is said of a log as a whole. */
export const LogFacts = {
  origin: textOrNull('The name of the log; null where nothing was ever recorded.'),
  size: { type: 'integer', minimum: 0, description: 'How many entries are published.' },
} as const

/** One entry in short. */
export type ListedEntryOutput = TypeOf<typeof ListedEntry>
