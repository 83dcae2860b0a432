import { ListedEntry, LogFacts } from '../log/output.ts'
import type { TypeOf } from '../operation.ts'

const text = (description: string) => ({ type: 'string', description }) as const
const textOrNull = (description: string) => ({ type: ['string', 'null'], description }) as const
const none = (description: string) => ({ type: 'null', description }) as const

const Subject = {
  type: 'object',
  required: ['name', 'digest'],
  properties: {
    name: text('What it is called.'),
    digest: {
      type: 'object',
      required: ['sha256'],
      properties: { sha256: text('SHA-256 in hex.') },
      additionalProperties: false,
      description: 'Its digest.',
    },
  },
  additionalProperties: false,
  description: 'One thing that the statement is about.',
} as const

const Statement = {
  type: 'object',
  required: ['_type', 'subject', 'predicateType', 'predicate'],
  properties: {
    _type: text('The type of all statements: in-toto Statement v1.'),
    subject: { type: 'array', items: Subject, description: 'What it is about.' },
    predicateType: text('The kind of statement.'),
    predicate: {
      type: 'object',
      properties: {},
      additionalProperties: true,
      description: 'What is stated, as it was signed.',
    },
  },
  additionalProperties: false,
  description: 'The statement, as it was signed.',
} as const

const Signature = {
  type: 'object',
  required: ['keyid', 'holder', 'verdict'],
  properties: {
    keyid: text('The key.'),
    holder: textOrNull('Whose it is, as trust lists it.'),
    verdict: {
      enum: ['good', 'bad', 'unknown-key'],
      description: 'Whether it fits what was signed.',
    },
  },
  additionalProperties: false,
  description: 'One signature.',
} as const

const Tombstone = {
  type: 'object',
  required: ['by', 'at', 'reason', 'erasure', 'again'],
  properties: {
    by: text('Who erased it.'),
    at: text('When, ISO 8601.'),
    reason: text('Why.'),
    erasure: {
      type: ['integer', 'null'],
      description: 'The index of the entry that states the erasure.',
    },
    again: textOrNull('What to do where what was erased is there again; else null.'),
  },
  additionalProperties: false,
  description: 'What stands in its place since it was erased.',
} as const

const { required, properties } = ListedEntry

const Shown = {
  type: 'object',
  required: [...required, 'leaf', 'inTree', 'signatures', 'statement', 'tombstone'],
  properties: {
    ...properties,
    leaf: textOrNull('The hash of its leaf, in hex; null where the tree cannot be read.'),
    inTree: {
      type: 'boolean',
      description: 'Whether the leaf in the tree is that of what stands here.',
    },
    signatures: { type: 'array', items: Signature, description: 'Who signed it.' },
    statement: {
      anyOf: [Statement, none('It was erased, or cannot be read.')],
      description:
        'What it says in full; where it is not what was recorded, what stands there now.',
    },
    tombstone: {
      anyOf: [Tombstone, none('It was not erased.')],
      description: 'Who erased it, when and why.',
    },
  },
  additionalProperties: false,
  description: 'One entry in full.',
} as const

const schema = {
  type: 'object',
  required: ['origin', 'size', 'about', 'entries', 'shown', 'more', 'near'],
  properties: {
    ...LogFacts,
    about: textOrNull('What was asked for; null for the newest entries.'),
    entries: { type: 'array', items: ListedEntry, description: 'The entries, the newest last.' },
    shown: {
      anyOf: [
        { type: 'array', items: Shown, description: 'The same entries in full.' },
        none('Nothing was asked for by name.'),
      ],
      description: 'The same in full, for what was asked for by name.',
    },
    more: { type: 'boolean', description: 'Whether there are more entries than these.' },
    near: {
      type: 'array',
      items: text('An id.'),
      description: 'Ids that may have been meant, where nothing was found.',
    },
  },
  additionalProperties: false,
  title: 'Output of waybill log show',
  description: 'Entries of the log: the newest in short, or those of one id in full.',
} as const

/** One entry in full. */
export type ShownEntry = TypeOf<typeof Shown>

/** What `log show` answers. */
export type LogShowOutput = TypeOf<typeof schema>
export default schema
