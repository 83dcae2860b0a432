import type { TypeOf } from '../operation.ts'

const Diagnostic = {
  type: 'object',
  required: ['code', 'severity', 'path', 'line', 'column', 'endLine', 'endColumn', 'message'],
  properties: {
    code: { type: 'string', description: 'The code; `waybill explain` describes it.' },
    severity: {
      enum: ['error', 'warning', 'info'],
      description: 'The severity; an error rejects the document.',
    },
    path: {
      type: 'string',
      description: 'JSON Pointer to the part concerned; empty for the whole document.',
    },
    line: { type: 'integer', minimum: 1, description: 'The line where it begins.' },
    column: {
      type: 'integer',
      minimum: 1,
      description: 'The column where it begins, in UTF-16 code units.',
    },
    endLine: { type: 'integer', minimum: 1, description: 'The line where it ends.' },
    endColumn: { type: 'integer', minimum: 1, description: 'The column after its end.' },
    message: { type: 'string', description: 'The problem, in words; secrets are masked.' },
    hint: { type: 'string', description: 'What to do about it.' },
  },
  additionalProperties: false,
  description: 'One problem in the document.',
} as const

const Suppressed = {
  type: 'object',
  required: ['code', 'line', 'reason'],
  properties: {
    code: { type: 'string', description: 'The excused code.' },
    line: { type: 'integer', minimum: 1, description: 'The line in the file.' },
    reason: { type: 'string', description: 'The reason.' },
  },
  additionalProperties: false,
  description: 'One excused diagnostic.',
} as const

/** The schema of the report on one document. */
export const Report = {
  type: 'object',
  required: ['path', 'contract', 'version', 'accepted', 'diagnostics', 'notRun', 'suppressed'],
  properties: {
    path: {
      type: 'string',
      description:
        'Path of the document from the root; `path#L<line>` for a block in Markdown, `-` for standard input.',
    },
    contract: {
      type: ['string', 'null'],
      description: 'The contract it was checked against; null if none was recognised.',
    },
    version: {
      type: ['string', 'null'],
      description: 'The version of that contract; null if none was recognised.',
    },
    accepted: { type: 'boolean', description: 'Whether it has no error.' },
    diagnostics: {
      type: 'array',
      items: Diagnostic,
      description: 'The problems found, in document order.',
    },
    notRun: {
      type: 'array',
      items: { type: 'string', description: 'The code of a rule.' },
      description: 'Rules that did not run because a fact they need is missing.',
    },
    suppressed: {
      type: 'array',
      items: Suppressed,
      description: 'Diagnostics excused by `waybill.yaml`, the baseline or the document itself.',
    },
  },
  additionalProperties: false,
  description: 'The report on one document.',
} as const

const PassedOver = {
  type: 'object',
  required: ['path', 'contract', 'why', 'next'],
  properties: {
    path: { type: 'string', description: 'Path of the file from the root.' },
    contract: {
      type: ['string', 'null'],
      description: 'The contract that it may be meant for; null if unknown.',
    },
    why: { type: 'string', description: 'Why it was passed over, in words.' },
    next: { type: 'string', description: 'The next command for it, from the current folder.' },
  },
  additionalProperties: false,
  description: 'One file.',
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
        documents: count('Number of documents checked.'),
        accepted: count('Number of documents accepted.'),
        rejected: count('Number of documents rejected.'),
        errors: count('Number of errors, without excused ones.'),
        warnings: count('Number of warnings, without excused ones.'),
      },
      additionalProperties: false,
      description: 'The totals.',
    },
    documents: {
      type: 'array',
      items: Report,
      description: 'The documents, sorted by path.',
    },
    ignored: count('Number of Markdown blocks skipped by a `waybill-ignore` comment.'),
    structureOnly: { type: 'boolean', description: 'Whether all rules were skipped.' },
    passedOver: {
      type: 'array',
      items: PassedOver,
      description: 'Files that are no documents but may be meant as such, sorted by path.',
    },
    nothing: {
      type: 'object',
      required: ['why', 'next'],
      properties: {
        why: { type: 'string', description: 'Why no document was found.' },
        next: { type: 'string', description: 'The next command.' },
      },
      additionalProperties: false,
      description: 'Why there is no document; only if there is none.',
    },
    baseline: count('Number of errors written to the baseline; only with --baseline.'),
  },
  additionalProperties: false,
  title: 'Output of waybill check',
  description: 'The checked documents and their problems.',
} as const

/** A diagnostic with one-based lines and columns. */
export type ReportedDiagnostic = TypeOf<typeof Diagnostic>

/** The report on one document. */
export type DocumentReport = TypeOf<typeof Report>

/** The output of `check`. */
export type CheckOutput = TypeOf<typeof schema>
export default schema
