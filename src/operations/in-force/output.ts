import type { TypeOf } from '../operation.ts'

const place = {
  path: { type: 'string', description: 'Path of the document from the root.' },
  line: { type: 'integer', minimum: 1, description: 'Its line in the document.' },
} as const

const Since = {
  type: 'object',
  required: ['path', 'timestamp', 'line'],
  properties: {
    ...place,
    timestamp: { type: ['string', 'null'], description: 'When the document was written.' },
  },
  additionalProperties: false,
  description: 'The first document that states it.',
} as const

const Statement = {
  type: 'object',
  required: ['id', 'kind', 'text', 'since', 'by', 'verified'],
  properties: {
    id: { type: 'string', description: 'Its id; made from the text if none is written.' },
    kind: { enum: ['rule', 'decision', 'fact'], description: 'What it is.' },
    text: { type: 'string', description: 'Its words, as Markdown.' },
    scope: { type: 'string', description: 'The commands or paths that a rule is about.' },
    since: Since,
    by: { type: ['string', 'null'], description: 'Who wrote that document.' },
    verified: { type: 'boolean', description: 'Whether a person verified that document.' },
  },
  additionalProperties: false,
  description: 'A rule, decision or fact that holds.',
} as const

const Left = {
  type: 'object',
  required: ['kind', 'id', 'path', 'line', 'why'],
  properties: {
    kind: { enum: ['rule', 'decision', 'fact', 'document'], description: 'What it is.' },
    id: { type: ['string', 'null'], description: 'Its id; null for a document.' },
    path: { type: 'string', description: 'Path of its document from the root.' },
    line: { type: ['integer', 'null'], minimum: 1, description: 'Its line in the document.' },
    why: {
      enum: ['shortened', 'no room', 'unreadable'],
      description: 'Why it is not given in full.',
    },
  },
  additionalProperties: false,
  description: 'Something in force that is not given in full.',
} as const

const Conflict = {
  type: 'object',
  required: ['id', 'why', 'places'],
  properties: {
    id: { type: 'string', description: 'The id of the statement.' },
    why: {
      enum: [
        'worded differently',
        'worded differently in a fork',
        'superseded twice',
        'ended by no person',
      ],
      description: 'What contradicts.',
    },
    places: {
      type: 'array',
      items: {
        type: 'object',
        required: ['path', 'line'],
        properties: place,
        additionalProperties: false,
        description: 'One place.',
      },
      description: 'The places; the first one holds, in a fork both.',
    },
  },
  additionalProperties: false,
  description: 'A contradiction that a person has to resolve.',
} as const

const Superseded = {
  type: 'object',
  required: ['id', 'kind', 'text', 'since', 'at', 'by', 'why'],
  properties: {
    id: Statement.properties.id,
    kind: Statement.properties.kind,
    text: Statement.properties.text,
    since: Since,
    at: { ...Since, description: 'Where it was ended.' },
    by: { type: ['string', 'null'], description: 'The person who ended it, if one is named.' },
    why: { type: ['string', 'null'], description: 'The stated reason.' },
  },
  additionalProperties: false,
  description: 'A statement that no longer holds.',
} as const

/** The schema of what no longer holds. */
export const SupersededList = {
  type: 'array',
  items: Superseded,
  description: 'Statements that no longer hold.',
} as const

/** The schema of what is in force. */
export const InForceList = {
  type: 'array',
  items: Statement,
  description: 'Rules, decisions and facts in force, in this order; each oldest first.',
} as const

/** The schema of what is in force but not given in full. */
export const LeftList = {
  type: 'array',
  items: Left,
  description: 'What is in force but not given in full.',
} as const

const OpenItem = {
  type: 'object',
  required: ['number', 'text'],
  properties: {
    number: { type: 'integer', minimum: 1, description: 'The number that answers it in carry.' },
    text: { type: 'string', description: 'Its words.' },
  },
  additionalProperties: false,
  description: 'An open item.',
} as const

/** The schema of what is open. */
export const OpenList = {
  type: 'array',
  items: OpenItem,
  description: 'The open items of the handoff, which the next one carries over.',
} as const

/** The schema of contradictions. */
export const ConflictList = {
  type: 'array',
  items: Conflict,
  description: 'Contradictions between documents of the lineage.',
} as const

/** A rule, decision or fact in force, as an output lists it. */
export type StatementOutput = TypeOf<typeof Statement>

/** A statement that no longer holds. */
export type SupersededOutput = TypeOf<typeof Superseded>

/** An open item of a handoff, with the number that answers it. */
export type OpenItemOutput = TypeOf<typeof OpenItem>

/** Something in force that is not given in full. */
export type LeftOutput = TypeOf<typeof Left>

/** A contradiction, as an output lists it. */
export type ConflictOutput = TypeOf<typeof Conflict>
