import { Report } from '../check/output.ts'
import type { TypeOf } from '../operation.ts'

/** What is wrong with a state, or speaks against an act on it. */
export const Diagnostics = (description: string) =>
  ({ type: 'array', items: Report.properties.diagnostics.items, description }) as const

/** A text of the state, or null where the state does not say it. */
const text = (description: string) => ({ type: ['string', 'null'], description }) as const

const texts = (description: string) =>
  ({
    type: 'array',
    items: { type: 'string', description: 'One entry, as the state words it.' },
    description,
  }) as const

const DecisionSurface = {
  type: 'object',
  required: ['MustDecideNow', 'CanDefer', 'AutoDecidedBySystem'],
  properties: {
    MustDecideNow: texts('What the person has to decide now.'),
    CanDefer: texts('What can wait.'),
    AutoDecidedBySystem: texts('What was decided without asking.'),
  },
  additionalProperties: false,
  description:
    'What there is to decide; only in architect-only mode, where an answer begins with it.',
} as const

/** Where a session stands. */
export const StateSummary = {
  type: 'object',
  required: ['phase', 'about', 'mode', 'next', 'confidence', 'band'],
  properties: {
    decisionSurface: DecisionSurface,
    phase: text('The phase, as the order of phases names it.'),
    about: text('What the phase is about.'),
    mode: text('How the session works: NORMAL, DEGRADED, DRAFT or BLOCKED.'),
    next: text('The next step: a phase, what is waited for, or PR-Ready.'),
    confidence: { type: ['integer', 'null'], description: 'The stated confidence, 0 to 100.' },
    band: { type: ['string', 'null'], description: 'What a confidence in that range is called.' },
  },
  additionalProperties: false,
  description: 'Where a session stands; null for what its state does not say.',
} as const

const Changed = {
  type: 'object',
  required: ['part', 'value'],
  properties: {
    part: { type: 'string', description: 'The part of the state as a JSON Pointer.' },
    value: { type: 'string', description: 'What was written there; lists and objects as JSON.' },
  },
  additionalProperties: false,
  description: 'One part of the state that got a value.',
} as const

/** What an act on a state answers. */
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
      accepted: { type: 'boolean', description: 'Whether it was done; else nothing was written.' },
      from: StateSummary,
      to: StateSummary,
      changes: { type: 'array', items: Changed, description: 'What was written, in order.' },
      diagnostics: Diagnostics('What speaks against it, or should be known with it.'),
      before: { type: 'string', description: 'The SHA-256 of the file before.' },
      after: { type: 'string', description: 'The SHA-256 of the file now: the next --expect.' },
      record: {
        type: ['string', 'null'],
        description: 'The name of the record that tells of it; null where nothing was done.',
      },
    },
    additionalProperties: false,
    title,
    description,
  }) as const

/** Where a session stands. */
export type StateSummaryOutput = TypeOf<typeof StateSummary>

/** What there is to decide. */
export type DecisionSurface = TypeOf<typeof DecisionSurface>

/** What an act on a state answers. */
export type ActOutput = TypeOf<ReturnType<typeof actSchema>>
