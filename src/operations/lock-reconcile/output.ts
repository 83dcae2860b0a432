import type { TypeOf } from '../operation.ts'
import { Passed } from '../receive/output.ts'

const text = (description: string) => ({ type: 'string', description }) as const
const textOrNull = (description: string) => ({ type: ['string', 'null'], description }) as const

const LineEnds = {
  type: 'object',
  required: ['locked', 'has'],
  properties: {
    locked: { enum: ['LF', 'CRLF'], description: 'The line ends that the prompt was locked with.' },
    has: { enum: ['LF', 'CRLF', 'mixed'], description: 'The line ends that its file has.' },
  },
  additionalProperties: false,
  description: 'Line ends that are not those that were locked.',
} as const

const schema = {
  type: 'object',
  required: [
    'outcome',
    'agent',
    'since',
    'old',
    'new',
    'changed',
    'lineEnds',
    'by',
    'standing',
    'keyid',
    'receipt',
  ],
  properties: {
    outcome: {
      enum: ['reconciled', 'would-reconcile'],
      description: 'Whether the agent is out of quarantine, or would be.',
    },
    agent: text('Its canonical id.'),
    since: text('Since when it was in quarantine, ISO 8601.'),
    old: textOrNull('SHA-256 of its prompt as it was locked, in hex; null where it was not.'),
    new: text('SHA-256 of its prompt file, in hex.'),
    changed: { type: 'boolean', description: 'Whether they differ, so that the lock changes.' },
    lineEnds: {
      anyOf: [LineEnds, { type: 'null', description: 'Something else differs, or nothing.' }],
      description: 'The line ends, where nothing else differs.',
    },
    by: textOrNull('Who stands for it; null for a dry run.'),
    standing: {
      enum: ['proved', 'claimed', null],
      description: 'Whether a key shows who that is, or only a name says it; null for a dry run.',
    },
    keyid: textOrNull('The key that shows it; null where none does.'),
    receipt: {
      anyOf: [Passed.receipt, { type: 'null', description: 'Nothing was recorded.' }],
      description: 'The promise of the log that it holds the statement.',
    },
  },
  additionalProperties: false,
  title: 'Output of waybill lock reconcile',
  description: 'An agent that is let out of quarantine, and who stands for its prompt.',
} as const

/** What `lock reconcile` answers. */
export type LockReconcileOutput = TypeOf<typeof schema>
export default schema
