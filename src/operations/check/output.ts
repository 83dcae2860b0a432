import type { TypeOf } from '../operation.ts'

const Diagnostic = {
  type: 'object',
  required: ['code', 'severity', 'path', 'line', 'column', 'endLine', 'endColumn', 'message'],
  properties: {
    code: { type: 'string', description: 'What is wrong, as a code that `waybill explain` knows.' },
    severity: {
      enum: ['error', 'warning', 'info'],
      description: 'What it weighs; an error rejects the document.',
    },
    path: {
      type: 'string',
      description: 'The part of the document at fault as a JSON Pointer; empty for the whole.',
    },
    line: { type: 'integer', minimum: 1, description: 'The line of the file on which it begins.' },
    column: {
      type: 'integer',
      minimum: 1,
      description: 'The column in which it begins, in UTF-16 units.',
    },
    endLine: { type: 'integer', minimum: 1, description: 'The line of the file on which it ends.' },
    endColumn: { type: 'integer', minimum: 1, description: 'The column before which it ends.' },
    message: { type: 'string', description: 'What is wrong, in words; secrets are masked.' },
    hint: { type: 'string', description: 'What to do about it.' },
  },
  additionalProperties: false,
  description: 'One thing that is wrong with the document.',
} as const

const Suppressed = {
  type: 'object',
  required: ['code', 'line', 'reason'],
  properties: {
    code: { type: 'string', description: 'What was excused.' },
    line: { type: 'integer', minimum: 1, description: 'The line of the file on which it stands.' },
    reason: { type: 'string', description: 'Why it was excused.' },
  },
  additionalProperties: false,
  description: 'One finding that was excused.',
} as const

/** What was decided about one document. */
export const Report = {
  type: 'object',
  required: ['path', 'contract', 'version', 'accepted', 'diagnostics', 'notRun', 'suppressed'],
  properties: {
    path: {
      type: 'string',
      description:
        'Where the document is, from the root; `path#L<line>` for a block in Markdown, `-` for standard input.',
    },
    contract: {
      type: ['string', 'null'],
      description: 'The contract that it was checked against; null where none was recognised.',
    },
    version: {
      type: ['string', 'null'],
      description: 'The version of that contract; null where none was recognised.',
    },
    accepted: { type: 'boolean', description: 'Whether no error was found.' },
    diagnostics: {
      type: 'array',
      items: Diagnostic,
      description: 'What is wrong with it, in the order of the text.',
    },
    notRun: {
      type: 'array',
      items: { type: 'string', description: 'The code of one rule.' },
      description: 'Rules that were left out, because this check does not have what they need.',
    },
    suppressed: {
      type: 'array',
      items: Suppressed,
      description: 'What `waybill.yaml`, the baseline or the document itself excused.',
    },
  },
  additionalProperties: false,
  description: 'One document and what was decided about it.',
} as const

const count = (description: string) => ({ type: 'integer', minimum: 0, description }) as const

const schema = {
  type: 'object',
  required: ['summary', 'documents', 'ignored', 'structureOnly'],
  properties: {
    summary: {
      type: 'object',
      required: ['documents', 'accepted', 'rejected', 'errors', 'warnings'],
      properties: {
        documents: count('How many documents were checked.'),
        accepted: count('How many of them were accepted.'),
        rejected: count('How many of them were rejected.'),
        errors: count('How many errors were found that nothing excused.'),
        warnings: count('How many warnings were found that nothing excused.'),
      },
      additionalProperties: false,
      description: 'The result in figures.',
    },
    documents: {
      type: 'array',
      items: Report,
      description: 'Every document that was found, in the order of the paths.',
    },
    ignored: count('How many blocks in Markdown a `waybill-ignore` comment passed over.'),
    structureOnly: { type: 'boolean', description: 'Whether every rule was left out.' },
    baseline: count('How many errors were written to the baseline; only when it was asked for.'),
  },
  additionalProperties: false,
  title: 'Output of waybill check',
  description: 'Every document that was checked, and exactly what is wrong with each.',
} as const

/** A diagnostic as results show it: one-based lines and columns. */
export type ReportedDiagnostic = TypeOf<typeof Diagnostic>

/** What was decided about one document. */
export type DocumentReport = TypeOf<typeof Report>

/** What `check` answers. */
export type CheckOutput = TypeOf<typeof schema>
export default schema
