import { Report } from '../check/output.ts'
import type { TypeOf } from '../operation.ts'

const LabelledLine = {
  type: 'object',
  required: ['label', 'value'],
  properties: {
    label: { type: 'string', description: 'What is told.' },
    value: { type: 'string', description: 'What is known of it, as text.' },
  },
  additionalProperties: false,
  description: 'One thing that is known.',
} as const

const Entry = {
  type: 'object',
  required: ['text'],
  properties: {
    id: { type: 'string', description: 'What the entry is called.' },
    marks: {
      type: 'array',
      items: { type: 'string', description: 'One word.' },
      description: 'Severity, category or status: single words that stand beside the id.',
    },
    text: { type: 'string', description: 'What the entry says.' },
    details: {
      type: 'array',
      items: LabelledLine,
      description: 'What else is known of the entry.',
    },
    depth: { type: 'integer', minimum: 0, description: 'How far it is set in; 0 when absent.' },
  },
  additionalProperties: false,
  description: 'One entry of a list.',
} as const

const Cells = {
  type: 'object',
  required: ['columns', 'rows'],
  properties: {
    columns: {
      type: 'array',
      items: { type: 'string', description: 'One heading.' },
      description: 'The headings of the columns.',
    },
    rows: {
      type: 'array',
      items: {
        type: 'array',
        items: { type: 'string', description: 'One cell.' },
        description: 'One row, with a cell for each column.',
      },
      description: 'The rows in reading order.',
    },
  },
  additionalProperties: false,
  description: 'What the part says as a table.',
} as const

const Part = {
  type: 'object',
  required: ['title'],
  properties: {
    title: { type: 'string', description: 'The heading of the part.' },
    items: { type: 'array', items: Entry, description: 'What the part says as a list.' },
    text: { type: 'string', description: 'What the part says as text.' },
    table: Cells,
  },
  additionalProperties: false,
  description: 'One part of the document: a list, a text or a table.',
} as const

const Shown = {
  type: 'object',
  required: [...Report.required, 'title', 'id', 'facts', 'sections'],
  properties: {
    ...Report.properties,
    title: { type: 'string', description: 'What people call such a document.' },
    id: {
      type: ['string', 'null'],
      description: 'What the document calls itself; null where it has no name.',
    },
    facts: {
      type: 'array',
      items: LabelledLine,
      description: 'Who, when, how sure: what is known of the document at a glance.',
    },
    sections: { type: 'array', items: Part, description: 'What is in it, in reading order.' },
    leading: {
      type: 'integer',
      minimum: 1,
      description:
        'How many of the parts are read before the facts; left out where the facts come first.',
    },
    notShown: {
      type: 'array',
      items: { type: 'string', description: 'A JSON pointer, with * for any entry of a list.' },
      description:
        'What is in it and is not shown, since the contract does not know it; left out where that is nothing.',
    },
  },
  additionalProperties: false,
  description: 'One document as a person wants to read it.',
} as const

const Listed = {
  type: 'object',
  required: ['path', 'contract', 'title', 'accepted'],
  properties: {
    path: { type: 'string', description: 'Where the document is, from the root.' },
    contract: {
      type: ['string', 'null'],
      description: 'The contract that it is one of; null where none was recognised.',
    },
    title: { type: 'string', description: 'What people call such a document.' },
    accepted: { type: 'boolean', description: 'Whether no error was found.' },
  },
  additionalProperties: false,
  description: 'One document of a file that holds too many to show.',
} as const

const schema = {
  type: 'object',
  required: ['documents', 'listed'],
  properties: {
    documents: {
      type: 'array',
      items: Shown,
      description: 'The documents of the file; none where they are listed.',
    },
    listed: {
      type: 'array',
      items: Listed,
      description: 'The documents of a file that holds too many to show; else none.',
    },
  },
  additionalProperties: false,
  title: 'Output of waybill show',
  description: 'What a document says, and what is wrong with it; secrets are masked.',
} as const

/** One thing that is known of a document, as a line. */
export type Line = TypeOf<typeof LabelledLine>

/** One entry of a list. */
export type Item = TypeOf<typeof Entry>

/** Rows of equal length under their columns. */
export type Table = TypeOf<typeof Cells>

/** A part of a document in reading order: a list, a text or a table. */
export type Section = TypeOf<typeof Part>

/** One document as a person wants to read it; plain data. */
export type View = TypeOf<typeof Shown>

/** A document of a file that holds too many to show. */
export type ListedDocument = TypeOf<typeof Listed>

/** What `show` answers: the documents, or a list of them where there are many. */
export type ShowOutput = TypeOf<typeof schema>
export default schema
