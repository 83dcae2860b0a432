import type { TypeOf } from '../operation.ts'
import { Diagnostics, StateSummary } from '../state/output.ts'

const Difference = {
  type: 'object',
  required: ['about', 'part', 'text', 'before', 'after'],
  properties: {
    about: {
      enum: [
        'phase',
        'mode',
        'confidence',
        'next',
        'profile',
        'gate',
        'artifact',
        'decision',
        'part',
      ],
      description: 'The kind of difference.',
    },
    part: { type: 'string', description: 'The part of the state, keys separated by dots.' },
    text: { type: 'string', description: 'The difference in words.' },
    before: {
      type: ['string', 'null'],
      description: 'The old value; null for none, a list or an object.',
    },
    after: {
      type: ['string', 'null'],
      description: 'The new value; null for none, a list or an object.',
    },
  },
  additionalProperties: false,
  description: 'One difference.',
} as const

const schema = {
  type: 'object',
  required: ['before', 'after', 'from', 'to', 'differences', 'accepted', 'diagnostics'],
  properties: {
    before: {
      type: 'string',
      description: 'The older state, from the root; - for standard input.',
    },
    after: { type: 'string', description: 'The newer state, from the root.' },
    from: StateSummary,
    to: StateSummary,
    differences: { type: 'array', items: Difference, description: 'The differences.' },
    accepted: { type: 'boolean', description: 'Whether the transition is allowed.' },
    diagnostics: Diagnostics('Errors and warnings of the newer state and the transition.'),
  },
  additionalProperties: false,
  title: 'Output of waybill state diff',
  description: 'The differences between two states, and whether the transition is allowed.',
} as const

/** The output of `state diff`. */
export type StateDiffOutput = TypeOf<typeof schema>
export default schema
