import { Report } from '../check/output.ts'
import type { TypeOf } from '../operation.ts'

/** Diagnostics of a state or an operation on it. */
export const Diagnostics = (description: string) =>
  ({ type: 'array', items: Report.properties.diagnostics.items, description }) as const

/** A value of the state, or null when it has none. */
const text = (description: string) => ({ type: ['string', 'null'], description }) as const

const texts = (description: string) =>
  ({
    type: 'array',
    items: { type: 'string', description: 'One entry of the state.' },
    description,
  }) as const

const DecisionSurface = {
  type: 'object',
  required: ['MustDecideNow', 'CanDefer', 'AutoDecidedBySystem'],
  properties: {
    MustDecideNow: texts('What a person has to decide now.'),
    CanDefer: texts('What can wait.'),
    AutoDecidedBySystem: texts('What was decided automatically.'),
  },
  additionalProperties: false,
  description: 'Pending decisions; only in architect-only mode, where an answer starts with them.',
} as const

/** A summary of a state. */
export const StateSummary = {
  type: 'object',
  required: ['phase', 'about', 'mode', 'next', 'confidence', 'band'],
  properties: {
    decisionSurface: DecisionSurface,
    phase: text('The phase.'),
    about: text('The title of the phase.'),
    mode: text('The mode: NORMAL, DEGRADED, DRAFT or BLOCKED.'),
    next: text('The next step: a phase, a missing input, or PR-Ready.'),
    confidence: { type: ['integer', 'null'], description: 'The stated confidence, 0 to 100.' },
    band: { type: ['string', 'null'], description: 'The name of that range.' },
  },
  additionalProperties: false,
  description: 'A summary of the state; null for missing values.',
} as const

const Changed = {
  type: 'object',
  required: ['part', 'value'],
  properties: {
    part: { type: 'string', description: 'The part of the state as a JSON Pointer.' },
    value: { type: 'string', description: 'The new value; lists and objects as JSON.' },
  },
  additionalProperties: false,
  description: 'One changed part of the state.',
} as const

/** The schema of operations that write a state. */
export const actSchema = (title: string, description: string) =>
  ({
    type: 'object',
    required: [
      'path',
      'accepted',
      'from',
      'to',
      'changes',
      'diagnostics',
      'before',
      'after',
      'record',
    ],
    properties: {
      path: { type: 'string', description: 'The state file, from the root.' },
      accepted: { type: 'boolean', description: 'Whether the change was written.' },
      from: StateSummary,
      to: StateSummary,
      changes: { type: 'array', items: Changed, description: 'The changes, in order.' },
      diagnostics: Diagnostics('Reasons for refusal, and warnings.'),
      before: { type: 'string', description: 'The SHA-256 of the file before.' },
      after: { type: 'string', description: 'The SHA-256 of the file now, for --expect.' },
      record: {
        type: ['string', 'null'],
        description: 'The name of the record; null when nothing was written.',
      },
    },
    additionalProperties: false,
    title,
    description,
  }) as const

/** A summary of a state. */
export type StateSummaryOutput = TypeOf<typeof StateSummary>

/** Pending decisions. */
export type DecisionSurface = TypeOf<typeof DecisionSurface>

/** The output of operations that write a state. */
export type ActOutput = TypeOf<ReturnType<typeof actSchema>>
