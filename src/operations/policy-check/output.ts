import type { TypeOf } from '../operation.ts'

const Action = {
  enum: ['handoff', 'useTool', 'readData', 'writeBack'],
  description: 'What is decided on.',
} as const

const ListedPolicy = {
  type: 'object',
  required: ['id', 'effect', 'actions', 'file', 'line', 'reason', 'remedy', 'needs'],
  properties: {
    id: {
      type: 'string',
      description:
        'How decisions name it: `waybill/…` for a built-in one, else its file and its @id or number.',
    },
    effect: { enum: ['permit', 'forbid'], description: 'Whether it permits or forbids.' },
    actions: {
      type: 'array',
      items: Action,
      description: 'What it can decide on, as far as its head says.',
    },
    file: {
      type: ['string', 'null'],
      description: 'The file that it stands in, from the root; null for a built-in one.',
    },
    line: {
      type: ['integer', 'null'],
      description: 'The line that it begins on; null for a built-in one.',
    },
    reason: { type: ['string', 'null'], description: 'Its @reason: why it decides so.' },
    remedy: { type: ['string', 'null'], description: 'Its @remedy: what to do about it.' },
    needs: {
      type: ['string', 'null'],
      description: 'Its @needs: what would have to be there for it not to forbid.',
    },
  },
  additionalProperties: false,
  description: 'One policy that decisions are made by.',
} as const

const Fault = {
  type: 'object',
  required: [
    'code',
    'severity',
    'file',
    'line',
    'column',
    'endLine',
    'endColumn',
    'message',
    'hint',
  ],
  properties: {
    code: { type: 'string', description: 'What is wrong, as a code that `waybill explain` knows.' },
    severity: {
      enum: ['error', 'warning'],
      description: 'What it weighs; with an error nothing is decided, so nothing is accepted.',
    },
    file: { type: 'string', description: 'Where it is, from the root.' },
    line: { type: 'integer', minimum: 1, description: 'The line on which it begins.' },
    column: {
      type: 'integer',
      minimum: 1,
      description: 'The column in which it begins, in UTF-16 units.',
    },
    endLine: { type: 'integer', minimum: 1, description: 'The line on which it ends.' },
    endColumn: { type: 'integer', minimum: 1, description: 'The column before which it ends.' },
    message: { type: 'string', description: 'What is wrong, in words; secrets are masked.' },
    hint: { type: 'string', description: 'What to do about it.' },
  },
  additionalProperties: false,
  description: 'One thing that is wrong with the policies.',
} as const

const count = (description: string) => ({ type: 'integer', minimum: 0, description }) as const

const schema = {
  type: 'object',
  required: ['accepted', 'folder', 'setDigest', 'summary', 'policies', 'diagnostics'],
  properties: {
    accepted: { type: 'boolean', description: 'Whether no error was found.' },
    folder: {
      type: ['string', 'null'],
      description: 'The folder that was read, from the root; null where none is configured.',
    },
    setDigest: {
      type: 'string',
      description: 'SHA-256 over the schema and all policies: what decisions name the set by.',
    },
    summary: {
      type: 'object',
      required: ['files', 'policies', 'builtIn', 'errors', 'warnings'],
      properties: {
        files: count('How many policy files were read.'),
        policies: count('How many sound policies stand in them.'),
        builtIn: count('How many policies are built in.'),
        errors: count('How many errors were found.'),
        warnings: count('How many warnings were found.'),
      },
      additionalProperties: false,
      description: 'The result in figures.',
    },
    policies: {
      type: 'array',
      items: ListedPolicy,
      description: 'Every policy that can be read, the built-in ones first.',
    },
    diagnostics: {
      type: 'array',
      items: Fault,
      description: 'What is wrong, in the order of the files.',
    },
  },
  additionalProperties: false,
  title: 'Output of waybill policy check',
  description: 'The policies that decisions are made by, and what is wrong with them.',
} as const

/** What `policy check` answers. */
export type PolicyCheckOutput = TypeOf<typeof schema>
export default schema
