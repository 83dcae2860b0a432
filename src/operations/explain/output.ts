import Type from 'typebox'
import type { OutputOf } from '../operation.ts'

const closed = { additionalProperties: false } as const

const about = {
  code: Type.String({ description: 'The code, as diagnostics carry it.' }),
  severity: Type.Enum(['error', 'warning', 'info', 'depends'], {
    description: 'What it weighs; `depends` where the contract or the finding decides.',
  }),
  summary: Type.String({ description: 'What must hold.' }),
}

const contract = (description: string) =>
  Type.Unsafe<string | null>({ type: ['string', 'null'], description })

const Group = Type.Object(
  {
    title: Type.String({ description: 'What the codes have in common.' }),
    contract: contract('The contract whose rules they are; null where all contracts share them.'),
    codes: Type.Array(
      Type.Object(about, { ...closed, description: 'One code and what it stands for.' }),
      { description: 'The codes, in the order of their contract.' },
    ),
  },
  { ...closed, description: 'The codes of one contract, or of one stage of reading.' },
)

const Sentence = Type.Object(
  {
    id: Type.String({ description: 'The id of the requirement.' }),
    level: Type.Enum(['MUST', 'SHOULD', 'MAY'], { description: 'How binding it is.' }),
    source: Type.String({ description: 'The heading or ruling that it stands under.' }),
    text: Type.String({ description: 'What it demands, in our own words.' }),
  },
  { ...closed, description: 'One sentence of a specification.' },
)

const Line = Type.Object(
  {
    line: Type.Integer({ minimum: 1, description: 'Its number in the file.' }),
    text: Type.String({ description: 'What stands on it; long lines are cut.' }),
    marked: Type.Optional(
      Type.Literal(true, { description: 'It is at fault, or what the two examples differ in.' }),
    ),
  },
  { ...closed, description: 'One line; where a number is passed over, lines were left out.' },
)

const example = (description: string) =>
  Type.Object(
    {
      file: Type.String({ description: 'The name of the file that it was taken from.' }),
      lines: Type.Array(Line, { description: 'The lines that tell.' }),
      facts: Type.Optional(
        Type.String({ description: 'What was known from outside when it was checked, as YAML.' }),
      ),
    },
    { ...closed, description },
  )

const Printed = Type.Object(
  {
    line: Type.Integer({ minimum: 1, description: 'The line of the example.' }),
    column: Type.Integer({ minimum: 1, description: 'The column of the example.' }),
    severity: Type.Enum(['error', 'warning', 'info'], { description: 'What it weighs.' }),
    message: Type.String({ description: 'What is wrong, in words.' }),
  },
  { ...closed, description: 'One diagnostic.' },
)

const Code = Type.Object(
  {
    ...about,
    contract: contract('The contract whose rule it is; null where all contracts share it.'),
    why: Type.String({ description: 'Why it matters.' }),
    remedy: Type.Optional(Type.String({ description: 'What to do about it.' })),
    phase: Type.Optional(
      Type.Enum(['transition', 'receive'], {
        description: 'When it runs, if it needs more than a plain check has.',
      }),
    ),
    unconditional: Type.Optional(
      Type.Literal(true, { description: 'No configuration and no baseline excuses it.' }),
    ),
    enforces: Type.Array(Sentence, {
      description: 'The sentences of the specification that it enforces.',
    }),
    passing: Type.Optional(example('A document that just does not break it.')),
    failing: Type.Optional(example('A document that breaks it.')),
    printed: Type.Array(Printed, { description: 'What is printed for the failing document.' }),
  },
  { ...closed, description: 'All that is to be said about the code that was asked for.' },
)

const schema = Type.Union(
  [
    Type.Object(
      {
        groups: Type.Array(Group, { description: 'Every code, or those of one contract.' }),
      },
      { ...closed, description: 'The answer without a code, or for a contract.' },
    ),
    Type.Object({ rule: Code }, { ...closed, description: 'The answer for a code.' }),
  ],
  {
    type: 'object',
    title: 'Output of waybill explain',
    description: 'The codes that there are, or all that is to be said about one.',
  },
)

/** The codes of one contract, or of one stage that all contracts share. */
export type CodeGroup = OutputOf<typeof Group>

/** All that is to be said about one code. */
export type ExplainedCode = OutputOf<typeof Code>

/** What `explain` answers: groups without a code or for a contract, the rule for a code. */
export type ExplainOutput = OutputOf<typeof schema>
export default schema
