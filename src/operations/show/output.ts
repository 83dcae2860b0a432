import Type from 'typebox'
import { Report } from '../check/output.ts'
import type { OutputOf } from '../operation.ts'

const closed = { additionalProperties: false } as const

const LabelledLine = Type.Object(
  {
    label: Type.String({ description: 'What is told.' }),
    value: Type.String({ description: 'What is known of it, as text.' }),
  },
  { ...closed, description: 'One thing that is known.' },
)

const Entry = Type.Object(
  {
    id: Type.Optional(Type.String({ description: 'What the entry is called.' })),
    marks: Type.Optional(
      Type.Array(Type.String({ description: 'One word.' }), {
        description: 'Severity, category or status: single words that stand beside the id.',
      }),
    ),
    text: Type.String({ description: 'What the entry says.' }),
    details: Type.Optional(
      Type.Array(LabelledLine, { description: 'What else is known of the entry.' }),
    ),
    depth: Type.Optional(
      Type.Integer({ minimum: 0, description: 'How far it is set in; 0 when absent.' }),
    ),
  },
  { ...closed, description: 'One entry of a list.' },
)

const Cells = Type.Object(
  {
    columns: Type.Array(Type.String({ description: 'One heading.' }), {
      description: 'The headings of the columns.',
    }),
    rows: Type.Array(
      Type.Array(Type.String({ description: 'One cell.' }), {
        description: 'One row, with a cell for each column.',
      }),
      { description: 'The rows in reading order.' },
    ),
  },
  { ...closed, description: 'What the part says as a table.' },
)

const Part = Type.Object(
  {
    title: Type.String({ description: 'The heading of the part.' }),
    items: Type.Optional(Type.Array(Entry, { description: 'What the part says as a list.' })),
    text: Type.Optional(Type.String({ description: 'What the part says as text.' })),
    table: Type.Optional(Cells),
  },
  { ...closed, description: 'One part of the document: a list, a text or a table.' },
)

const Shown = Type.Object(
  {
    ...Report.properties,
    title: Type.String({ description: 'What people call such a document.' }),
    id: Type.Unsafe<string | null>({
      type: ['string', 'null'],
      description: 'What the document calls itself; null where it has no name.',
    }),
    facts: Type.Array(LabelledLine, {
      description: 'Who, when, how sure: what is known of the document at a glance.',
    }),
    sections: Type.Array(Part, { description: 'What is in it, in reading order.' }),
  },
  { ...closed, description: 'One document as a person wants to read it.' },
)

const Listed = Type.Object(
  {
    path: Type.String({ description: 'Where the document is, from the root.' }),
    contract: Type.Unsafe<string | null>({
      type: ['string', 'null'],
      description: 'The contract that it is one of; null where none was recognised.',
    }),
    title: Type.String({ description: 'What people call such a document.' }),
    accepted: Type.Boolean({ description: 'Whether no error was found.' }),
  },
  { ...closed, description: 'One document of a file that holds too many to show.' },
)

const schema = Type.Object(
  {
    documents: Type.Array(Shown, {
      description: 'The documents of the file; none where they are listed.',
    }),
    listed: Type.Array(Listed, {
      description: 'The documents of a file that holds too many to show; else none.',
    }),
  },
  {
    ...closed,
    title: 'Output of waybill show',
    description: 'What a document says, and what is wrong with it; secrets are masked.',
  },
)

/** One thing that is known of a document, as a line. */
export type Line = OutputOf<typeof LabelledLine>

/** One entry of a list. */
export type Item = OutputOf<typeof Entry>

/** Rows of equal length under their columns. */
export type Table = OutputOf<typeof Cells>

/** A part of a document in reading order: a list, a text or a table. */
export type Section = OutputOf<typeof Part>

/** One document as a person wants to read it; plain data. */
export type View = OutputOf<typeof Shown>

/** A document of a file that holds too many to show. */
export type ListedDocument = OutputOf<typeof Listed>

/** What `show` answers: the documents, or a list of them where there are many. */
export type ShowOutput = OutputOf<typeof schema>
export default schema
