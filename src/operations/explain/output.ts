import type { TypeOf } from '../operation.ts'

const about = {
  code: { type: 'string', description: 'The code, as in diagnostics.' },
  severity: {
    enum: ['error', 'warning', 'info', 'depends'],
    description: 'The severity; `depends` if it varies by contract or diagnostic.',
  },
  summary: { type: 'string', description: 'The requirement.' },
} as const

const contract = (description: string) => ({ type: ['string', 'null'], description }) as const

const Group = {
  type: 'object',
  required: ['title', 'contract', 'codes'],
  properties: {
    title: { type: 'string', description: 'The title of the group.' },
    contract: contract('The contract of the rules; null for other codes.'),
    codes: {
      type: 'array',
      items: {
        type: 'object',
        required: ['code', 'severity', 'summary'],
        properties: about,
        additionalProperties: false,
        description: 'One code and its requirement.',
      },
      description: 'The codes, in the order of their contract.',
    },
    count: {
      type: 'integer',
      minimum: 0,
      description: 'How many there are, where they are not listed.',
    },
    families: {
      type: 'array',
      items: { type: 'string', description: 'What lists the codes.' },
      description: 'What to ask for to see them, where they are not listed.',
    },
  },
  additionalProperties: false,
  description: 'The codes of one contract, of one parsing stage or of one operation.',
} as const

const Sentence = {
  type: 'object',
  required: ['id', 'level', 'source', 'text'],
  properties: {
    id: { type: 'string', description: 'The id of the requirement.' },
    level: { enum: ['MUST', 'SHOULD', 'MAY'], description: 'The level of the requirement.' },
    source: { type: 'string', description: 'Its heading or ruling.' },
    text: { type: 'string', description: 'The requirement, paraphrased.' },
  },
  additionalProperties: false,
  description: 'One sentence of a specification.',
} as const

const Line = {
  type: 'object',
  required: ['line', 'text'],
  properties: {
    line: { type: 'integer', minimum: 1, description: 'The line number in the file.' },
    text: { type: 'string', description: 'The text of the line; long lines are cut.' },
    marked: {
      type: 'boolean',
      const: true,
      description: 'It has the error, or differs between the two examples.',
    },
  },
  additionalProperties: false,
  description: 'One line; a gap in the numbers means omitted lines.',
} as const

const example = (description: string) =>
  ({
    type: 'object',
    required: ['file', 'lines'],
    properties: {
      file: { type: 'string', description: 'The name of the source file.' },
      lines: { type: 'array', items: Line, description: 'The relevant lines.' },
      facts: {
        type: 'string',
        description: 'The external facts given to the check, as YAML.',
      },
    },
    additionalProperties: false,
    description,
  }) as const

const Printed = {
  type: 'object',
  required: ['line', 'column', 'severity', 'message'],
  properties: {
    line: { type: 'integer', minimum: 1, description: 'The line of the example.' },
    column: { type: 'integer', minimum: 1, description: 'The column of the example.' },
    severity: { enum: ['error', 'warning', 'info'], description: 'The severity.' },
    message: { type: 'string', description: 'The problem, in words.' },
  },
  additionalProperties: false,
  description: 'One diagnostic.',
} as const

const Code = {
  type: 'object',
  required: ['code', 'severity', 'summary', 'contract', 'why', 'enforces', 'printed'],
  properties: {
    ...about,
    contract: contract('The contract of the rule; null for other codes.'),
    why: { type: 'string', description: 'Why it matters.' },
    remedy: { type: 'string', description: 'How to fix it.' },
    phase: {
      enum: ['transition', 'receive'],
      description: 'When it runs, if not in a plain check.',
    },
    unconditional: {
      type: 'boolean',
      const: true,
      description: 'Neither configuration nor baseline can excuse it.',
    },
    enforces: {
      type: 'array',
      items: Sentence,
      description: 'The sentences of the specification that it enforces.',
    },
    passing: example('A document that narrowly passes.'),
    failing: example('A document that fails.'),
    printed: {
      type: 'array',
      items: Printed,
      description: 'The output for the failing document.',
    },
  },
  additionalProperties: false,
  description: 'The explanation of a code.',
} as const

const schema = {
  anyOf: [
    {
      type: 'object',
      required: ['groups'],
      properties: {
        groups: {
          type: 'array',
          items: Group,
          description: 'Every code, or those of one contract or family.',
        },
      },
      additionalProperties: false,
      description: 'The output without a code, or for a prefix.',
    },
    {
      type: 'object',
      required: ['rule'],
      properties: { rule: Code },
      additionalProperties: false,
      description: 'The output for a code.',
    },
  ],
  type: 'object',
  title: 'Output of waybill explain',
  description: 'A list of codes, or the explanation of one.',
} as const

/** The codes of one contract or another group. */
export type CodeGroup = TypeOf<typeof Group>

/** The explanation of one code. */
export type ExplainedCode = TypeOf<typeof Code>

/** The output of `explain`: groups without a code or for a prefix, the rule for a code. */
export type ExplainOutput = TypeOf<typeof schema>
export default schema
