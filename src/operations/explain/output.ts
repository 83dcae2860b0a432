import type { TypeOf } from '../operation.ts'

const about = {
  code: { type: 'string', description: 'The code, as diagnostics carry it.' },
  severity: {
    enum: ['error', 'warning', 'info', 'depends'],
    description: 'What it weighs; `depends` where the contract or the finding decides.',
  },
  summary: { type: 'string', description: 'What must hold.' },
} as const

const contract = (description: string) => ({ type: ['string', 'null'], description }) as const

const Group = {
  type: 'object',
  required: ['title', 'contract', 'codes'],
  properties: {
    title: { type: 'string', description: 'What the codes have in common.' },
    contract: contract('The contract whose rules they are; null where they are of none.'),
    codes: {
      type: 'array',
      items: {
        type: 'object',
        required: ['code', 'severity', 'summary'],
        properties: about,
        additionalProperties: false,
        description: 'One code and what it stands for.',
      },
      description: 'The codes, in the order of their contract.',
    },
  },
  additionalProperties: false,
  description: 'The codes of one contract, of one stage of reading or of one operation.',
} as const

const Sentence = {
  type: 'object',
  required: ['id', 'level', 'source', 'text'],
  properties: {
    id: { type: 'string', description: 'The id of the requirement.' },
    level: { enum: ['MUST', 'SHOULD', 'MAY'], description: 'How binding it is.' },
    source: { type: 'string', description: 'The heading or ruling that it stands under.' },
    text: { type: 'string', description: 'What it demands, in our own words.' },
  },
  additionalProperties: false,
  description: 'One sentence of a specification.',
} as const

const Line = {
  type: 'object',
  required: ['line', 'text'],
  properties: {
    line: { type: 'integer', minimum: 1, description: 'Its number in the file.' },
    text: { type: 'string', description: 'What stands on it; long lines are cut.' },
    marked: {
      type: 'boolean',
      const: true,
      description: 'It is at fault, or what the two examples differ in.',
    },
  },
  additionalProperties: false,
  description: 'One line; where a number is passed over, lines were left out.',
} as const

const example = (description: string) =>
  ({
    type: 'object',
    required: ['file', 'lines'],
    properties: {
      file: { type: 'string', description: 'The name of the file that it was taken from.' },
      lines: { type: 'array', items: Line, description: 'The lines that tell.' },
      facts: {
        type: 'string',
        description: 'What was known from outside when it was checked, as YAML.',
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
    severity: { enum: ['error', 'warning', 'info'], description: 'What it weighs.' },
    message: { type: 'string', description: 'What is wrong, in words.' },
  },
  additionalProperties: false,
  description: 'One diagnostic.',
} as const

const Code = {
  type: 'object',
  required: ['code', 'severity', 'summary', 'contract', 'why', 'enforces', 'printed'],
  properties: {
    ...about,
    contract: contract('The contract whose rule it is; null where it is of none.'),
    why: { type: 'string', description: 'Why it matters.' },
    remedy: { type: 'string', description: 'What to do about it.' },
    phase: {
      enum: ['transition', 'receive'],
      description: 'When it runs, if it needs more than a plain check has.',
    },
    unconditional: {
      type: 'boolean',
      const: true,
      description: 'No configuration and no baseline excuses it.',
    },
    enforces: {
      type: 'array',
      items: Sentence,
      description: 'The sentences of the specification that it enforces.',
    },
    passing: example('A document that just does not break it.'),
    failing: example('A document that breaks it.'),
    printed: {
      type: 'array',
      items: Printed,
      description: 'What is printed for the failing document.',
    },
  },
  additionalProperties: false,
  description: 'All that is to be said about the code that was asked for.',
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
      description: 'The answer without a code, or for what stands before the slash.',
    },
    {
      type: 'object',
      required: ['rule'],
      properties: { rule: Code },
      additionalProperties: false,
      description: 'The answer for a code.',
    },
  ],
  type: 'object',
  title: 'Output of waybill explain',
  description: 'The codes that there are, or all that is to be said about one.',
} as const

/** The codes of one contract, or others that have something in common. */
export type CodeGroup = TypeOf<typeof Group>

/** All that is to be said about one code. */
export type ExplainedCode = TypeOf<typeof Code>

/** What `explain` answers: groups without a code or for what stands before the slash, the rule for a code. */
export type ExplainOutput = TypeOf<typeof schema>
export default schema
