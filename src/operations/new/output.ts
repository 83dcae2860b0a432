import { Report } from '../check/output.ts'
import type { TypeOf } from '../operation.ts'

const text = (description: string) => ({ type: 'string', description }) as const
const textOrNull = (description: string) => ({ type: ['string', 'null'], description }) as const
const flag = (description: string) => ({ type: 'boolean', description }) as const

const Known = {
  type: 'object',
  required: ['field', 'value', 'from'],
  properties: {
    field: text('The field or section that was filled in.'),
    value: text('What was written there, in short.'),
    from: text('Where it is known from.'),
  },
  additionalProperties: false,
  description: 'Something that nobody had to give.',
} as const

const Missing = {
  type: 'object',
  required: ['field', 'what'],
  properties: {
    field: text('The field, as a JSON Pointer, or the section.'),
    what: text('What belongs there.'),
    example: text('What it looks like.'),
    choices: {
      type: 'array',
      items: text('One value.'),
      description: 'What it can be, where that is one of a few.',
    },
  },
  additionalProperties: false,
  description: 'Something that is required and was not given.',
} as const

const Carried = {
  type: 'object',
  required: ['number', 'section', 'text', 'outcome', 'why', 'said'],
  properties: {
    number: { type: 'integer', minimum: 1, description: 'By which number it is answered.' },
    section: text('The section of the document before in which it stands.'),
    text: text('What was left to do, as Markdown.'),
    outcome: {
      enum: ['kept', 'done', 'superseded'],
      description: 'What became of it; what nobody speaks of is kept.',
    },
    why: text('Why, in the words of whoever said so.'),
    said: {
      enum: ['answered', 'restated', 'unsaid'],
      description: 'Whether somebody answered, the new document says it itself, or nobody did.',
    },
  },
  additionalProperties: false,
  description: 'Something that the session before left to do.',
} as const

const schema = {
  type: 'object',
  required: [
    'contract',
    'path',
    'accepted',
    'created',
    'draft',
    'dryRun',
    'text',
    'known',
    'missing',
    'predecessor',
    'carried',
    'notes',
    'diagnostics',
  ],
  properties: {
    contract: text('The contract of the new document.'),
    path: text('Where it stands or would stand, from the root.'),
    accepted: flag('Whether nothing is missing and the full check found no error.'),
    created: flag('Whether the file was written.'),
    draft: flag('Whether it is a draft, which may be at fault.'),
    dryRun: flag('Whether nothing was to be written.'),
    text: textOrNull('The text of the document; null where it was refused.'),
    known: { type: 'array', items: Known, description: 'What was filled in, and from where.' },
    missing: { type: 'array', items: Missing, description: 'What has still to be given.' },
    predecessor: textOrNull(
      'The handoff that it carries on, from the root; null where there is none.',
    ),
    carried: {
      type: 'array',
      items: Carried,
      description: 'What the predecessor left to do, and what became of each.',
    },
    notes: {
      type: 'array',
      items: text('One sentence.'),
      description: 'What whoever writes the document should know.',
    },
    diagnostics: Report.properties.diagnostics,
  },
  additionalProperties: false,
  title: 'Output of waybill new',
  description: 'The document that was made, what was known of it, and what is still to be said.',
} as const

/** Something that nobody had to give, and where it is known from. */
export type KnownPart = TypeOf<typeof Known>

/** Something that is required and was not given. */
export type MissingField = TypeOf<typeof Missing>

/** What `new` answers. */
export type NewOutput = TypeOf<typeof schema>
export default schema
