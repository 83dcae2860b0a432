import { Report } from '../check/output.ts'
import type { TypeOf } from '../operation.ts'

const text = (description: string) => ({ type: 'string', description }) as const
const textOrNull = (description: string) => ({ type: ['string', 'null'], description }) as const

const Heading = {
  type: 'object',
  required: ['line', 'title', 'part', 'how'],
  properties: {
    line: { type: 'integer', minimum: 1, description: 'Its line in the original.' },
    title: text('The heading as it is in the original.'),
    part: textOrNull('The part that it stands for, such as next; null for none.'),
    how: {
      enum: ['common', 'mapped', 'kept'],
      description:
        'Whether it has a common name, was mapped to one, or is kept without standing for a part.',
    },
  },
  additionalProperties: false,
  description: 'One heading.',
} as const

const Added = {
  type: 'object',
  required: ['title', 'missing'],
  properties: {
    title: text('The heading of the part.'),
    missing: {
      type: 'boolean',
      description: 'Whether a person has to write it; otherwise it says that there is none.',
    },
  },
  additionalProperties: false,
  description: 'A part that was added.',
} as const

const Adopted = {
  type: 'object',
  required: [
    'path',
    'outcome',
    'output',
    'reason',
    'headings',
    'added',
    'notes',
    'diagnostics',
    'text',
  ],
  properties: {
    path: text('The original, from the root; it is never changed.'),
    outcome: {
      enum: ['sound', 'known', 'adopted', 'draft', 'refused'],
      description:
        'Whether it is a valid handoff already, was adopted before, became a note, became a draft, or was refused.',
    },
    output: textOrNull('The note, from the root; null when there is none.'),
    reason: textOrNull('Why it was refused; null otherwise.'),
    headings: { type: 'array', items: Heading, description: 'Its headings, in order.' },
    added: { type: 'array', items: Added, description: 'The required parts that it lacks.' },
    notes: { type: 'array', items: text('One note.'), description: 'What to know about the note.' },
    diagnostics: Report.properties.diagnostics,
    text: textOrNull('The text of the note for a dry run, with secrets masked; null otherwise.'),
  },
  additionalProperties: false,
  description: 'One file and what became of it.',
} as const

const schema = {
  type: 'object',
  required: ['documents', 'dryRun'],
  properties: {
    documents: { type: 'array', items: Adopted, description: 'The files, sorted by path.' },
    dryRun: { type: 'boolean', description: 'Whether nothing was written.' },
  },
  additionalProperties: false,
  title: 'Output of waybill adopt',
  description: 'The handoff notes made of files in other shapes.',
} as const

/** One file and what became of it. */
export type AdoptedDocument = TypeOf<typeof Adopted>

/** The output of `adopt`. */
export type AdoptOutput = TypeOf<typeof schema>
export default schema
