import { Report } from '../check/output.ts'
import type { TypeOf } from '../operation.ts'

/** A text, or null where the lock does not say it. */
const text = (description: string) => ({ type: ['string', 'null'], description }) as const
const count = (description: string) => ({ type: 'integer', minimum: 0, description }) as const

const Pinned = {
  type: 'object',
  required: ['id', 'type', 'version', 'file', 'hash'],
  properties: {
    id: { type: 'string', description: 'The canonical id of the agent.' },
    type: text('What sort of agent it is.'),
    version: text('The version of its prompt.'),
    file: text("Its prompt, from the manifest's folder."),
    hash: text("The SHA-256 of the prompt's bytes."),
  },
  additionalProperties: false,
  description: 'One prompt as a lock pins it.',
} as const

const Changed = {
  type: 'object',
  required: ['id', 'review', 'parts'],
  properties: {
    id: { type: 'string', description: 'The canonical id of the agent.' },
    review: {
      type: 'boolean',
      description:
        'Whether the bytes of its prompt are others than before, so that somebody has to read them.',
    },
    parts: {
      type: 'array',
      items: {
        type: 'object',
        required: ['part', 'from', 'to'],
        properties: {
          part: { enum: ['hash', 'version', 'type', 'file'], description: 'What differs.' },
          from: text('What the lock says.'),
          to: text('What it will say.'),
        },
        additionalProperties: false,
        description: 'One part that differs.',
      },
      description: 'What differs.',
    },
  },
  additionalProperties: false,
  description: 'One prompt whose entry is to be another.',
} as const

const Other = {
  type: 'object',
  required: ['part', 'from', 'to'],
  properties: {
    part: { type: 'string', description: 'The part of the lock as a JSON Pointer.' },
    from: text('What the lock says, as JSON.'),
    to: { type: 'string', description: 'What it will say, as JSON.' },
  },
  additionalProperties: false,
  description: 'One part beside the prompts that is to be another.',
} as const

const Refused = {
  type: 'object',
  required: ['code', 'agent', 'message', 'hint'],
  properties: {
    code: { type: 'string', description: 'Why, as a code that `waybill explain` knows.' },
    agent: text('The agent that it is about; null where it is about the lock.'),
    message: { type: 'string', description: 'Why, in words.' },
    hint: { type: 'string', description: 'What to do about it.' },
  },
  additionalProperties: false,
  description: 'One reason why nothing is written, beside what is wrong with the documents.',
} as const

/** The agents in quarantine, as answers about locks name them. */
export const Quarantine = {
  type: 'array',
  items: {
    type: 'object',
    required: ['id', 'since', 'reason'],
    properties: {
      id: { type: 'string', description: 'The canonical id.' },
      since: { type: 'string', description: 'Since when, ISO 8601.' },
      reason: { type: 'string', description: 'Why.' },
    },
    additionalProperties: false,
    description: 'One agent in quarantine.',
  },
  description:
    'Agents that the log keeps out until a person reconciles them, sorted by canonical id.',
} as const

const LineEnds = {
  type: 'object',
  required: ['path', 'ends', 'checkout'],
  properties: {
    path: { type: 'string', description: 'The prompt, from the root.' },
    ends: { enum: ['CRLF', 'mixed'], description: 'The line ends that it has here.' },
    checkout: {
      enum: ['LF', 'CRLF', null],
      description:
        'The line ends that .gitattributes has Git give it everywhere; null where each machine decides.',
    },
  },
  additionalProperties: false,
  description: 'A prompt whose bytes others may not get.',
} as const

const schema = {
  type: 'object',
  required: [
    'outcome',
    'manifest',
    'lock',
    'check',
    'totals',
    'added',
    'removed',
    'changed',
    'other',
    'reordered',
    'refused',
    'lineEnds',
    'quarantined',
    'documents',
    'before',
    'after',
  ],
  properties: {
    outcome: {
      enum: ['written', 'would-write', 'unchanged', 'refused'],
      description: 'What became of the lock.',
    },
    manifest: { type: 'string', description: 'The manifest, from the root.' },
    lock: { type: 'string', description: 'The lock, from the root.' },
    check: {
      type: 'boolean',
      description: 'Whether it was only to be checked that nothing would change.',
    },
    totals: {
      type: 'object',
      required: ['prompts', 'domains', 'archetypes', 'orchestrators'],
      properties: {
        prompts: count('How many prompts the lock pins.'),
        domains: count('How many of them are of domains.'),
        archetypes: count('How many of them are of archetypes.'),
        orchestrators: count('How many of them are of orchestrators.'),
      },
      additionalProperties: false,
      description: 'What the lock pins, in figures; all 0 when it was refused.',
    },
    added: { type: 'array', items: Pinned, description: 'Prompts that were not locked before.' },
    removed: { type: 'array', items: Pinned, description: 'Entries of agents that are no more.' },
    changed: { type: 'array', items: Changed, description: 'Prompts that are locked anew.' },
    other: { type: 'array', items: Other, description: 'What else changes, but for the time.' },
    reordered: { type: 'boolean', description: 'Whether entries come to stand in order.' },
    refused: { type: 'array', items: Refused, description: 'Why nothing is written.' },
    lineEnds: {
      type: 'array',
      items: LineEnds,
      description:
        'Prompts that are pinned anew by bytes that Git may not give to others, for their line ends.',
    },
    quarantined: Quarantine,
    documents: {
      type: 'array',
      items: Report,
      description:
        'The manifest, and the lock where it cannot be read, with what is wrong with each.',
    },
    before: text('The SHA-256 of the lock before; null where there was none.'),
    after: text('The SHA-256 of the lock after it is written; null when it was refused.'),
  },
  additionalProperties: false,
  title: 'Output of waybill lock',
  description: 'How the lock differs from the manifest and the prompts, and what became of it.',
} as const

/** One reason why nothing is written, as it is told. */
export type ToldRefusal = TypeOf<typeof Refused>

/** What `lock` answers. */
export type LockOutput = TypeOf<typeof schema>
export default schema
