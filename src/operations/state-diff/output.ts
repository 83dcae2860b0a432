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
      description: 'What it is about.',
    },
    part: { type: 'string', description: 'The part of the state, keys separated by dots.' },
    text: { type: 'string', description: 'What changed, in the words of the workflow.' },
    before: {
      type: ['string', 'null'],
      description: 'What it was; null for nothing, and for a list or an object.',
    },
    after: {
      type: ['string', 'null'],
      description: 'What it is; null for nothing, and for a list or an object.',
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
    differences: { type: 'array', items: Difference, description: 'What changed.' },
    accepted: { type: 'boolean', description: 'Whether the newer state may follow the older one.' },
    diagnostics: Diagnostics('What the newer state is at fault with, the transition included.'),
  },
  additionalProperties: false,
  title: 'Output of waybill state diff',
  description: 'What changed between two states, and whether the one may follow the other.',
} as const

/** What `state diff` answers. */
export type StateDiffOutput = TypeOf<typeof schema>
export default schema
