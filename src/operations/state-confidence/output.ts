import type { TypeOf } from '../operation.ts'

const Line = {
  type: 'object',
  required: ['about', 'points', 'counts'],
  properties: {
    about: { type: 'string', description: 'The criterion.' },
    points: { type: 'integer', description: 'The points it adds or subtracts.' },
    counts: {
      type: ['boolean', 'null'],
      description: 'Whether it applies; null when the document does not show it.',
    },
  },
  additionalProperties: false,
  description: 'One line of the rubric.',
} as const

const schema = {
  type: 'object',
  required: [
    'path',
    'stated',
    'statedBand',
    'computed',
    'computedBand',
    'differ',
    'enough',
    'lines',
  ],
  properties: {
    path: { type: 'string', description: 'The state file, from the root.' },
    stated: { type: ['integer', 'null'], description: 'The confidence in the state.' },
    statedBand: {
      type: ['string', 'null'],
      description: 'The name of that range.',
    },
    computed: { type: 'integer', description: 'The confidence by the rubric, from 0 to 100.' },
    computedBand: { type: 'string', description: 'The name of that range.' },
    differ: { type: 'boolean', description: 'Whether they differ by 20 points or more.' },
    enough: {
      type: 'boolean',
      description: 'Whether the stated confidence allows the session to advance.',
    },
    lines: { type: 'array', items: Line, description: 'The rubric, line by line.' },
  },
  additionalProperties: false,
  title: 'Output of waybill state confidence',
  description: 'The stated confidence and the one computed by the rubric.',
} as const

/** The output of `state confidence`. */
export type StateConfidenceOutput = TypeOf<typeof schema>
export default schema
