import type { TypeOf } from '../operation.ts'

const Action = {
  enum: ['handoff', 'useTool', 'readData', 'writeBack'],
  description: 'A kind of decision.',
} as const

const ListedPolicy = {
  type: 'object',
  required: ['id', 'effect', 'actions', 'file', 'line', 'reason', 'remedy', 'needs'],
  properties: {
    id: {
      type: 'string',
      description:
        'Its id in decisions: `waybill/…` for a built-in policy, otherwise its file and its @id or number.',
    },
    effect: { enum: ['permit', 'forbid'], description: 'Whether it permits or forbids.' },
    actions: {
      type: 'array',
      items: Action,
      description: 'The kinds of decisions in its scope.',
    },
    file: {
      type: ['string', 'null'],
      description: 'Its file, from the root; null for a built-in policy.',
    },
    line: {
      type: ['integer', 'null'],
      description: 'Its first line; null for a built-in policy.',
    },
    reason: { type: ['string', 'null'], description: 'Its @reason.' },
    remedy: { type: ['string', 'null'], description: 'Its @remedy: how to comply.' },
    needs: {
      type: ['string', 'null'],
      description: 'Its @needs: what must exist for it not to forbid.',
    },
  },
  additionalProperties: false,
  description: 'One policy.',
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
    code: { type: 'string', description: 'A stable code; see waybill explain.' },
    severity: {
      enum: ['error', 'warning'],
      description: 'With an error, no decision is made and nothing is accepted.',
    },
    file: { type: 'string', description: 'The file, from the root.' },
    line: { type: 'integer', minimum: 1, description: 'The first line.' },
    column: {
      type: 'integer',
      minimum: 1,
      description: 'The first column, in UTF-16 units.',
    },
    endLine: { type: 'integer', minimum: 1, description: 'The last line.' },
    endColumn: { type: 'integer', minimum: 1, description: 'The column after the last.' },
    message: { type: 'string', description: 'What is wrong; secrets are masked.' },
    hint: { type: 'string', description: 'How to fix it.' },
  },
  additionalProperties: false,
  description: 'One problem with the policies.',
} as const

const count = (description: string) => ({ type: 'integer', minimum: 0, description }) as const

const schema = {
  type: 'object',
  required: ['accepted', 'folder', 'setDigest', 'summary', 'policies', 'diagnostics'],
  properties: {
    accepted: { type: 'boolean', description: 'Whether there are no errors.' },
    folder: {
      type: ['string', 'null'],
      description: 'The folder that was read, from the root; null when none is configured.',
    },
    setDigest: {
      type: 'string',
      description: 'SHA-256 of the schema and all policies, which decisions record.',
    },
    summary: {
      type: 'object',
      required: ['files', 'policies', 'builtIn', 'errors', 'warnings'],
      properties: {
        files: count('Policy files read.'),
        policies: count('Valid policies in them.'),
        builtIn: count('Built-in policies.'),
        errors: count('Errors found.'),
        warnings: count('Warnings found.'),
      },
      additionalProperties: false,
      description: 'The result in numbers.',
    },
    policies: {
      type: 'array',
      items: ListedPolicy,
      description: 'Every readable policy, built-in ones first.',
    },
    diagnostics: {
      type: 'array',
      items: Fault,
      description: 'All problems, in file order.',
    },
  },
  additionalProperties: false,
  title: 'Output of waybill policy check',
  description: 'The policies and their problems.',
} as const

/** The output of `policy check`. */
export type PolicyCheckOutput = TypeOf<typeof schema>
export default schema
