import { Report } from '../check/output.ts'
import { ConflictList, InForceList, LeftList, OpenList } from '../in-force/output.ts'
import type { TypeOf } from '../operation.ts'

const Source = {
  type: 'object',
  required: ['path', 'contract', 'sha256', 'inherited', 'verifiedBy'],
  properties: {
    path: { type: 'string', description: 'Path of the document from the root.' },
    contract: { type: 'string', description: 'The contract of the document.' },
    sha256: { type: 'string', description: 'SHA-256 of the bytes that were read, in hex.' },
    timestamp: { type: 'string', description: 'When it was written, as stated in it.' },
    inherited: {
      type: 'boolean',
      description: 'Whether it is an earlier document that the brief only takes statements from.',
    },
    verifiedBy: {
      type: ['string', 'null'],
      description: 'The claimed name of who verified these bytes, or null.',
    },
  },
  additionalProperties: false,
  description: 'One document that the brief quotes.',
} as const

const Cut = {
  type: 'object',
  required: ['path', 'role', 'title', 'entries', 'of'],
  properties: {
    path: { type: 'string', description: 'Path of the document with the part.' },
    role: {
      enum: ['rules', 'goal', 'decisions', 'next', 'blockers', 'state', 'facts', 'rest'],
      description: 'The role of the part for the reader.',
    },
    title: { type: 'string', description: 'The heading of the part.' },
    entries: { type: 'integer', minimum: 0, description: 'Number of entries cut.' },
    of: { type: 'integer', minimum: 0, description: 'Number of entries in the part.' },
  },
  additionalProperties: false,
  description: 'A part that was shortened or left out.',
} as const

const schema = {
  type: 'object',
  required: [
    'brief',
    'boundary',
    'tokens',
    'budget',
    'sources',
    'cut',
    'unread',
    'refused',
    'inForce',
    'open',
    'left',
    'conflicts',
    'needs',
  ],
  properties: {
    brief: {
      type: ['string', 'null'],
      description: 'The brief; null if a document was refused or a rule does not fit.',
    },
    boundary: {
      type: ['string', 'null'],
      description: 'The unpredictable word in its first and last line.',
    },
    tokens: {
      type: 'integer',
      minimum: 0,
      description: 'The size of the brief: its bytes divided by 3.5, rounded up.',
    },
    budget: { type: 'integer', minimum: 0, description: 'The maximum size, in tokens.' },
    sources: { type: 'array', items: Source, description: 'The quoted documents.' },
    cut: {
      type: 'array',
      items: Cut,
      description: 'Parts that did not fit, most important first.',
    },
    unread: {
      type: 'integer',
      minimum: 0,
      description: 'Number of documents in the lineage that cannot be read.',
    },
    refused: {
      type: 'array',
      items: Report,
      description: 'Documents with errors, which are not quoted.',
    },
    inForce: InForceList,
    open: OpenList,
    left: LeftList,
    conflicts: ConflictList,
    needs: {
      type: ['integer', 'null'],
      description: 'The least budget that holds every rule, when this one does not.',
    },
  },
  additionalProperties: false,
  title: 'Output of waybill brief',
  description: 'A brief for the next agent, within a budget.',
} as const

/** A document quoted by a brief. */
export type BriefSource = TypeOf<typeof Source>

/** A part that was shortened or left out. */
export type CutPart = TypeOf<typeof Cut>

/** The output of `brief`. */
export type BriefOutput = TypeOf<typeof schema>
export default schema
