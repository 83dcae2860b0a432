import { Report } from '../check/output.ts'
import type { TypeOf } from '../operation.ts'

const Source = {
  type: 'object',
  required: ['path', 'contract', 'sha256', 'inherited', 'verifiedBy'],
  properties: {
    path: { type: 'string', description: 'Where the document is, from the root.' },
    contract: { type: 'string', description: 'The contract that it fulfils.' },
    sha256: { type: 'string', description: 'The digest of the bytes that were read, in hex.' },
    inherited: {
      type: 'boolean',
      description: 'Whether it stands behind the document that the brief is about.',
    },
    verifiedBy: {
      type: ['string', 'null'],
      description: 'Who is recorded to have verified these bytes: a claimed name; null for nobody.',
    },
  },
  additionalProperties: false,
  description: 'One document that the brief quotes.',
} as const

const Cut = {
  type: 'object',
  required: ['path', 'role', 'title', 'entries', 'of'],
  properties: {
    path: { type: 'string', description: 'The document that the part stands in.' },
    role: {
      enum: ['goal', 'decisions', 'blockers', 'next', 'rest'],
      description: 'What the part is to the next reader.',
    },
    title: { type: 'string', description: 'The heading of the part.' },
    entries: { type: 'integer', minimum: 0, description: 'How many of its entries were cut.' },
    of: { type: 'integer', minimum: 0, description: 'How many entries it has.' },
  },
  additionalProperties: false,
  description: 'A part of which something was left out, or shortened.',
} as const

const schema = {
  type: 'object',
  required: ['brief', 'boundary', 'tokens', 'budget', 'sources', 'cut', 'unread', 'refused'],
  properties: {
    brief: {
      type: ['string', 'null'],
      description: 'The brief as it is to be read; null where a document was refused.',
    },
    boundary: {
      type: ['string', 'null'],
      description: 'The word in its first and its last line, which no document can know.',
    },
    tokens: {
      type: 'integer',
      minimum: 0,
      description: 'The size of the brief: its bytes divided by 3.5, rounded up.',
    },
    budget: { type: 'integer', minimum: 0, description: 'The size that it may have.' },
    sources: { type: 'array', items: Source, description: 'The documents that it quotes.' },
    cut: {
      type: 'array',
      items: Cut,
      description: 'What did not fit, in the order of its weight.',
    },
    unread: {
      type: 'integer',
      minimum: 0,
      description: 'Older documents of the lineage that were not read at all.',
    },
    refused: {
      type: 'array',
      items: Report,
      description: 'Documents with errors: nobody is briefed from them.',
    },
  },
  additionalProperties: false,
  title: 'Output of waybill brief',
  description: 'What the next agent must read, within a budget, as data from documents.',
} as const

/** A document that a brief quotes. */
export type BriefSource = TypeOf<typeof Source>

/** A part of which something was left out. */
export type CutPart = TypeOf<typeof Cut>

/** What `brief` answers. */
export type BriefOutput = TypeOf<typeof schema>
export default schema
