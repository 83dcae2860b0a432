import type { TypeOf } from '../operation.ts'
import { Passed } from '../receive/output.ts'

const text = (description: string) => ({ type: 'string', description }) as const
const textOrNull = (description: string) => ({ type: ['string', 'null'], description }) as const

const LineEnds = {
  type: 'object',
  required: ['locked', 'has'],
  properties: {
    locked: { enum: ['LF', 'CRLF'], description: 'The line ends of the locked prompt.' },
    has: { enum: ['LF', 'CRLF', 'mixed'], description: 'The line ends of its file.' },
  },
  additionalProperties: false,
  description: 'Line ends that differ from the locked ones.',
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
      description: 'Whether the agent is released from quarantine, or would be.',
    },
    agent: text('The canonical id of the agent.'),
    since: text('Start of the quarantine, ISO 8601.'),
    old: textOrNull('SHA-256 of its locked prompt, in hex, or null.'),
    new: text('SHA-256 of its prompt file, in hex.'),
    changed: { type: 'boolean', description: 'Whether the two differ, so that the lock changes.' },
    lineEnds: {
      anyOf: [LineEnds, { type: 'null', description: 'Nothing differs, or more than line ends.' }],
      description: 'The line ends, if only they differ.',
    },
    by: textOrNull('The person who confirms it; null for a dry run.'),
    standing: {
      enum: ['proved', 'claimed', null],
      description:
        'Whether a key proves the identity or only a name claims it; null for a dry run.',
    },
    keyid: textOrNull('The key that proves the identity, or null.'),
    receipt: {
      anyOf: [Passed.receipt, { type: 'null', description: 'Nothing was recorded.' }],
      description: 'The receipt of the log for the statement.',
    },
  },
  additionalProperties: false,
  title: 'Output of waybill lock reconcile',
  description: 'An agent released from quarantine, and who confirmed its prompt.',
} as const

/** The output of `lock reconcile`. */
export type LockReconcileOutput = TypeOf<typeof schema>
export default schema
