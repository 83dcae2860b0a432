import { ListedEntry, LogFacts } from '../log/output.ts'
import type { TypeOf } from '../operation.ts'

const text = (description: string) => ({ type: 'string', description }) as const
const textOrNull = (description: string) => ({ type: ['string', 'null'], description }) as const
const none = (description: string) => ({ type: 'null', description }) as const

const Subject = {
  type: 'object',
  required: ['name', 'digest'],
  properties: {
    name: text('The name.'),
    digest: {
      type: 'object',
      required: ['sha256'],
      properties: { sha256: text('SHA-256 in hex.') },
      additionalProperties: false,
      description: 'Its digest.',
    },
  },
  additionalProperties: false,
  description: 'One subject of the statement.',
} as const

const Statement = {
  type: 'object',
  required: ['_type', 'subject', 'predicateType', 'predicate'],
  properties: {
    _type: text('The type of all statements: in-toto Statement v1.'),
    subject: { type: 'array', items: Subject, description: 'The subjects.' },
    predicateType: text('The predicate type.'),
    predicate: {
      type: 'object',
      properties: {},
      additionalProperties: true,
      description: 'The predicate, as signed.',
    },
  },
  additionalProperties: false,
  description: 'The statement, as signed.',
} as const

const Signature = {
  type: 'object',
  required: ['keyid', 'holder', 'verdict'],
  properties: {
    keyid: text('The key id.'),
    holder: textOrNull('The holder listed under trust, or null.'),
    verdict: {
      enum: ['good', 'bad', 'unknown-key'],
      description: 'Whether the signature is valid.',
    },
  },
  additionalProperties: false,
  description: 'One signature.',
} as const

const Tombstone = {
  type: 'object',
  required: ['by', 'at', 'reason', 'erasure', 'again'],
  properties: {
    by: text('The person who erased it.'),
    at: text('Time of the erasure, ISO 8601.'),
    reason: text('The reason.'),
    erasure: {
      type: ['integer', 'null'],
      description: 'The index of the erasure entry.',
    },
    again: textOrNull('What to do if the erased content is present again; else null.'),
  },
  additionalProperties: false,
  description: 'The tombstone that replaces erased content.',
} as const

const { required, properties } = ListedEntry

const Shown = {
  type: 'object',
  required: [...required, 'leaf', 'inTree', 'signatures', 'statement', 'tombstone'],
  properties: {
    ...properties,
    leaf: textOrNull('The hash of its leaf, in hex; null if the tree cannot be read.'),
    inTree: {
      type: 'boolean',
      description: 'Whether the leaf in the tree matches the content.',
    },
    signatures: { type: 'array', items: Signature, description: 'The signatures.' },
    statement: {
      anyOf: [Statement, none('Erased or unreadable.')],
      description: 'The statement; for a changed entry, the current one.',
    },
    tombstone: {
      anyOf: [Tombstone, none('Not erased.')],
      description: 'The tombstone of an erased entry.',
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
    about: textOrNull('The requested id; null for the newest entries.'),
    entries: { type: 'array', items: ListedEntry, description: 'The entries, newest last.' },
    shown: {
      anyOf: [
        { type: 'array', items: Shown, description: 'The entries in full.' },
        none('No id was given.'),
      ],
      description: 'The entries in full, if an id was given.',
    },
    more: { type: 'boolean', description: 'Whether there are more entries.' },
    near: {
      type: 'array',
      items: text('An id.'),
      description: 'Similar ids, if nothing was found.',
    },
  },
  additionalProperties: false,
  title: 'Output of waybill log show',
  description: 'Log entries: the newest, or those about an id in full.',
} as const

/** One entry in full. */
export type ShownEntry = TypeOf<typeof Shown>

/** The output of `log show`. */
export type LogShowOutput = TypeOf<typeof schema>
export default schema
