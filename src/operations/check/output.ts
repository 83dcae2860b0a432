import Type from 'typebox'
import type { OutputOf } from '../operation.ts'

const closed = { additionalProperties: false } as const

const Diagnostic = Type.Object(
  {
    code: Type.String({ description: 'What is wrong, as a code that `waybill explain` knows.' }),
    severity: Type.Enum(['error', 'warning', 'info'], {
      description: 'What it weighs; an error rejects the document.',
    }),
    path: Type.String({
      description: 'The part of the document at fault as a JSON Pointer; empty for the whole.',
    }),
    line: Type.Integer({ minimum: 1, description: 'The line of the file on which it begins.' }),
    column: Type.Integer({
      minimum: 1,
      description: 'The column in which it begins, in UTF-16 units.',
    }),
    endLine: Type.Integer({ minimum: 1, description: 'The line of the file on which it ends.' }),
    endColumn: Type.Integer({ minimum: 1, description: 'The column before which it ends.' }),
    message: Type.String({ description: 'What is wrong, in words; secrets are masked.' }),
    hint: Type.Optional(Type.String({ description: 'What to do about it.' })),
  },
  { ...closed, description: 'One thing that is wrong with the document.' },
)

const Suppressed = Type.Object(
  {
    code: Type.String({ description: 'What was excused.' }),
    line: Type.Integer({ minimum: 1, description: 'The line of the file on which it stands.' }),
    reason: Type.String({ description: 'Why it was excused.' }),
  },
  { ...closed, description: 'One finding that was excused.' },
)

/** What was decided about one document. */
export const Report = Type.Object(
  {
    path: Type.String({
      description:
        'Where the document is, from the root; `path#L<line>` for a block in Markdown, `-` for standard input.',
    }),
    contract: Type.Unsafe<string | null>({
      type: ['string', 'null'],
      description: 'The contract that it was checked against; null where none was recognised.',
    }),
    version: Type.Unsafe<string | null>({
      type: ['string', 'null'],
      description: 'The version of that contract; null where none was recognised.',
    }),
    accepted: Type.Boolean({ description: 'Whether no error was found.' }),
    diagnostics: Type.Array(Diagnostic, {
      description: 'What is wrong with it, in the order of the text.',
    }),
    notRun: Type.Array(Type.String({ description: 'The code of one rule.' }), {
      description: 'Rules that were left out, because this check does not have what they need.',
    }),
    suppressed: Type.Array(Suppressed, {
      description: 'What `waybill.yaml`, the baseline or the document itself excused.',
    }),
  },
  { ...closed, description: 'One document and what was decided about it.' },
)

const count = (description: string) => Type.Integer({ minimum: 0, description })

const schema = Type.Object(
  {
    summary: Type.Object(
      {
        documents: count('How many documents were checked.'),
        accepted: count('How many of them were accepted.'),
        rejected: count('How many of them were rejected.'),
        errors: count('How many errors were found that nothing excused.'),
        warnings: count('How many warnings were found that nothing excused.'),
      },
      { ...closed, description: 'The result in figures.' },
    ),
    documents: Type.Array(Report, {
      description: 'Every document that was found, in the order of the paths.',
    }),
    ignored: count('How many blocks in Markdown a `waybill-ignore` comment passed over.'),
    structureOnly: Type.Boolean({ description: 'Whether every rule was left out.' }),
    baseline: Type.Optional(
      count('How many errors were written to the baseline; only when it was asked for.'),
    ),
  },
  {
    ...closed,
    title: 'Output of waybill check',
    description: 'Every document that was checked, and exactly what is wrong with each.',
  },
)

/** A diagnostic as results show it: one-based lines and columns. */
export type ReportedDiagnostic = OutputOf<typeof Diagnostic>

/** What was decided about one document. */
export type DocumentReport = OutputOf<typeof Report>

/** What `check` answers. */
export type CheckOutput = OutputOf<typeof schema>
export default schema
