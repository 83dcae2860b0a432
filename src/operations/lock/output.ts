import { Report } from '../check/output.ts'
import type { TypeOf } from '../operation.ts'

/** A text, or null. */
const text = (description: string) => ({ type: ['string', 'null'], description }) as const
const count = (description: string) => ({ type: 'integer', minimum: 0, description }) as const

const Pinned = {
  type: 'object',
  required: ['id', 'type', 'version', 'file', 'hash'],
  properties: {
    id: { type: 'string', description: 'The canonical id of the agent.' },
    type: text('The type of the agent.'),
    version: text('The version of its prompt.'),
    file: text("Path of its prompt from the manifest's folder, or from the root."),
    hash: text('SHA-256 of the prompt, in hex.'),
  },
  additionalProperties: false,
  description: 'One locked prompt.',
} as const

const Changed = {
  type: 'object',
  required: ['id', 'review', 'parts'],
  properties: {
    id: { type: 'string', description: 'The canonical id of the agent.' },
    review: {
      type: 'boolean',
      description: 'Whether the content of its prompt changed and needs review.',
    },
    parts: {
      type: 'array',
      items: {
        type: 'object',
        required: ['part', 'from', 'to'],
        properties: {
          part: {
            enum: ['hash', 'version', 'type', 'file'],
            description: 'The part that changes.',
          },
          from: text('The old value.'),
          to: text('The new value.'),
        },
        additionalProperties: false,
        description: 'One change.',
      },
      description: 'The changes.',
    },
  },
  additionalProperties: false,
  description: 'One prompt whose entry changes.',
} as const

const Other = {
  type: 'object',
  required: ['part', 'from', 'to'],
  properties: {
    part: { type: 'string', description: 'JSON Pointer to the part of the lock.' },
    from: text('The old value, as JSON.'),
    to: { type: 'string', description: 'The new value, as JSON.' },
  },
  additionalProperties: false,
  description: 'One change outside of the prompts.',
} as const

const Refused = {
  type: 'object',
  required: ['code', 'agent', 'message', 'hint'],
  properties: {
    code: { type: 'string', description: 'The code; `waybill explain` describes it.' },
    agent: text('The agent concerned; null for the lock.'),
    message: { type: 'string', description: 'The reason, in words.' },
    hint: { type: 'string', description: 'What to do about it.' },
  },
  additionalProperties: false,
  description: 'One reason for refusing, apart from errors in the documents.',
} as const

/** The output schema of the agents in quarantine. */
export const Quarantine = {
  type: 'array',
  items: {
    type: 'object',
    required: ['id', 'since', 'reason'],
    properties: {
      id: { type: 'string', description: 'The canonical id.' },
      since: { type: 'string', description: 'Start of the quarantine, ISO 8601.' },
      reason: { type: 'string', description: 'The reason.' },
    },
    additionalProperties: false,
    description: 'One agent in quarantine.',
  },
  description: 'Agents in quarantine until a person reconciles them, sorted by canonical id.',
} as const

const LineEnds = {
  type: 'object',
  required: ['path', 'ends', 'checkout'],
  properties: {
    path: { type: 'string', description: 'Path of the prompt from the root.' },
    ends: { enum: ['CRLF', 'mixed'], description: 'Its line ends here.' },
    checkout: {
      enum: ['LF', 'CRLF', null],
      description: 'The line ends set in .gitattributes; null if each machine decides.',
    },
  },
  additionalProperties: false,
  description: 'A prompt whose bytes may differ on other machines.',
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
      description: 'What was done.',
    },
    manifest: { type: 'string', description: 'Path of the manifest from the root.' },
    lock: { type: 'string', description: 'Path of the lock from the root.' },
    check: {
      type: 'boolean',
      description: 'Whether --check was given.',
    },
    totals: {
      type: 'object',
      required: ['prompts', 'domains', 'archetypes', 'orchestrators'],
      properties: {
        prompts: count('Number of locked prompts.'),
        domains: count('Number of domain prompts.'),
        archetypes: count('Number of archetype prompts.'),
        orchestrators: count('Number of orchestrator prompts.'),
      },
      additionalProperties: false,
      description: 'The totals of the lock; all 0 if refused.',
    },
    added: { type: 'array', items: Pinned, description: 'Newly locked prompts.' },
    removed: { type: 'array', items: Pinned, description: 'Entries of removed agents.' },
    changed: { type: 'array', items: Changed, description: 'Prompts whose entry changes.' },
    other: { type: 'array', items: Other, description: 'Other changes, except the time.' },
    reordered: { type: 'boolean', description: 'Whether entries are reordered.' },
    refused: { type: 'array', items: Refused, description: 'The reasons for refusing.' },
    lineEnds: {
      type: 'array',
      items: LineEnds,
      description: 'Newly locked prompts whose line ends Git may convert on other machines.',
    },
    quarantined: Quarantine,
    documents: {
      type: 'array',
      items: Report,
      description: 'The reports on the manifest, and on the lock if it cannot be read.',
    },
    before: text('SHA-256 of the old lock, in hex, or null.'),
    after: text('SHA-256 of the new lock, in hex; null if refused.'),
  },
  additionalProperties: false,
  title: 'Output of waybill lock',
  description: 'The changes to the lock, and whether they were written.',
} as const

/** One reason for refusing. */
export type ReportedRefusal = TypeOf<typeof Refused>

/** The output of `lock`. */
export type LockOutput = TypeOf<typeof schema>
export default schema
