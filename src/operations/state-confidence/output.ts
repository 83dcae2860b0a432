import type { TypeOf } from '../operation.ts'

const Line = {
  type: 'object',
  required: ['about', 'points', 'counts'],
  properties: {
    about: { type: 'string', description: 'What the line is about.' },
    points: { type: 'integer', description: 'What it adds or takes.' },
    counts: {
      type: ['boolean', 'null'],
      description: 'Whether it counts here; null where the document cannot show it.',
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
    stated: { type: ['integer', 'null'], description: 'The confidence that the state states.' },
    statedBand: {
      type: ['string', 'null'],
      description: 'What a confidence in that range is called.',
    },
    computed: { type: 'integer', description: 'What the rubric gives, from 0 to 100.' },
    computedBand: { type: 'string', description: 'What a confidence in that range is called.' },
    differ: { type: 'boolean', description: 'Whether the two lie 20 points or more apart.' },
    enough: {
      type: 'boolean',
      description: 'Whether the stated confidence lets a session advance.',
    },
    lines: { type: 'array', items: Line, description: 'The rubric, line by line.' },
  },
  additionalProperties: false,
  title: 'Output of waybill state confidence',
  description: 'The confidence that the rubric gives, line by line, beside the stated one.',
} as const

/** What `state confidence` answers. */
export type StateConfidenceOutput = TypeOf<typeof schema>
export default schema
