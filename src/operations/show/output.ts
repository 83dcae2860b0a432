import { Report } from '../check/output.ts'
import type { TypeOf } from '../operation.ts'

const LabelledLine = {
  type: 'object',
  required: ['label', 'value'],
  properties: {
    label: { type: 'string', description: 'The label.' },
    value: { type: 'string', description: 'The value, as text.' },
  },
  additionalProperties: false,
  description: 'One fact.',
} as const

const Entry = {
  type: 'object',
  required: ['text'],
  properties: {
    id: { type: 'string', description: 'The id of the entry.' },
    marks: {
      type: 'array',
      items: { type: 'string', description: 'One word.' },
      description: 'Severity, category or status: single words next to the id.',
    },
    text: { type: 'string', description: 'The text of the entry.' },
    details: {
      type: 'array',
      items: LabelledLine,
      description: 'Further facts about the entry.',
    },
    depth: { type: 'integer', minimum: 0, description: 'The indentation level (default: 0).' },
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
  description: 'A table.',
} as const

const Part = {
  type: 'object',
  required: ['title'],
  properties: {
    title: { type: 'string', description: 'The heading of the part.' },
    items: { type: 'array', items: Entry, description: 'The part as a list.' },
    text: { type: 'string', description: 'The part as text.' },
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
    title: { type: 'string', description: 'The title of its contract.' },
    id: {
      type: ['string', 'null'],
      description: 'The id of the document; null when it has none.',
    },
    facts: {
      type: 'array',
      items: LabelledLine,
      description: 'Key facts: who, when, how confident.',
    },
    sections: { type: 'array', items: Part, description: 'The content, in reading order.' },
    leading: {
      type: 'integer',
      minimum: 1,
      description: 'How many sections come before the facts (default: 0).',
    },
    notShown: {
      type: 'array',
      items: { type: 'string', description: 'A JSON pointer, with * for any entry of a list.' },
      description:
        'Unknown keys of the document, which are not shown; omitted when there are none.',
    },
  },
  additionalProperties: false,
  description: 'One document in readable form.',
} as const

const Listed = {
  type: 'object',
  required: ['path', 'contract', 'title', 'accepted'],
  properties: {
    path: { type: 'string', description: 'The document, from the root.' },
    contract: {
      type: ['string', 'null'],
      description: 'Its contract; null when not recognised.',
    },
    title: { type: 'string', description: 'The title of its contract.' },
    accepted: { type: 'boolean', description: 'Whether it has no errors.' },
  },
  additionalProperties: false,
  description: 'One document of a file with too many to show.',
} as const

const schema = {
  type: 'object',
  required: ['documents', 'listed'],
  properties: {
    documents: {
      type: 'array',
      items: Shown,
      description: 'The documents of the file; empty when they are listed.',
    },
    listed: {
      type: 'array',
      items: Listed,
      description: 'The documents of a file with too many to show; otherwise empty.',
    },
  },
  additionalProperties: false,
  title: 'Output of waybill show',
  description: 'What a document says and what is wrong with it; secrets are masked.',
} as const

/** One labelled fact about a document. */
export type Line = TypeOf<typeof LabelledLine>

/** One entry of a list. */
export type Item = TypeOf<typeof Entry>

/** Rows of equal length with column headings. */
export type Table = TypeOf<typeof Cells>

/** One part of a document: a list, a text or a table. */
export type Section = TypeOf<typeof Part>

/** One document in readable form; plain data. */
export type View = TypeOf<typeof Shown>

/** One document of a file with too many to show. */
export type ListedDocument = TypeOf<typeof Listed>

/** The output of `show`: the documents, or a list of them when there are many. */
export type ShowOutput = TypeOf<typeof schema>
export default schema
