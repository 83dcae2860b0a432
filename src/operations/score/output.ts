import type { TypeOf } from '../operation.ts'

const count = (description: string) => ({ type: 'integer', minimum: 0, description }) as const

const Kind = {
  enum: ['rule', 'decision', 'fact', 'loop', 'step'],
  description: 'The kind; a loop is open work, a step is to be done next.',
} as const

const Named = {
  id: { type: 'string', description: 'Its id.' },
  kind: Kind,
  text: { type: 'string', description: 'Its words.' },
} as const

const schema = {
  type: 'object',
  required: [
    ...['path', 'against', 'round', 'budget', 'tokens', 'inForce', 'survived'],
    ...['tokensPerSurvivor', 'kinds', 'missing', 'stale', 'accepted'],
  ],
  properties: {
    path: { type: 'string', description: 'The measured text.' },
    against: { type: 'string', description: 'The file with the statements.' },
    round: { type: 'integer', minimum: 1, description: 'The round.' },
    budget: { type: ['integer', 'null'], description: 'The tokens read; null for all.' },
    tokens: count('The size of what was read: its bytes divided by 3.5, rounded up.'),
    inForce: count('Number of statements that hold after the round.'),
    survived: count('Number of them that the text has.'),
    tokensPerSurvivor: {
      type: ['number', 'null'],
      description: 'Tokens per statement that the text has; null for none.',
    },
    kinds: {
      type: 'array',
      items: {
        type: 'object',
        required: ['kind', 'inForce', 'survived'],
        properties: {
          kind: Kind,
          inForce: count('Number that hold.'),
          survived: count('Number of them that the text has.'),
        },
        additionalProperties: false,
        description: 'The statements of one kind.',
      },
      description: 'The same by kind.',
    },
    missing: {
      type: 'array',
      items: {
        type: 'object',
        required: ['id', 'kind', 'text'],
        properties: Named,
        additionalProperties: false,
        description: 'One statement.',
      },
      description: 'Statements that hold and that the text does not have.',
    },
    stale: {
      type: 'object',
      required: ['known', 'shown'],
      properties: {
        known: count('Number of statements that were superseded or finished by then.'),
        shown: {
          type: 'array',
          items: {
            type: 'object',
            required: ['id', 'kind', 'text', 'line'],
            properties: {
              ...Named,
              line: { type: 'integer', minimum: 1, description: 'Where the text shows it.' },
            },
            additionalProperties: false,
            description: 'One statement.',
          },
          description: 'Those that the text shows as if they held.',
        },
      },
      additionalProperties: false,
      description: 'Statements that no longer hold.',
    },
    accepted: {
      type: 'boolean',
      description: 'Every rule is there, and nothing stale is shown as current.',
    },
  },
  additionalProperties: false,
  title: 'Output of waybill score',
  description: 'Which statements a text kept.',
} as const

/** The output of `score`. */
export type ScoreOutput = TypeOf<typeof schema>
export default schema
