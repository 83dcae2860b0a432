import { Report } from '../check/output.ts'
import { ConflictList, InForceList } from '../in-force/output.ts'
import type { TypeOf } from '../operation.ts'

const text = (description: string) => ({ type: 'string', description }) as const
const textOrNull = (description: string) => ({ type: ['string', 'null'], description }) as const
const flag = (description: string) => ({ type: 'boolean', description }) as const

const Known = {
  type: 'object',
  required: ['field', 'value', 'from'],
  properties: {
    field: text('The field or section that was filled in.'),
    value: text('Its value, shortened.'),
    from: text('Its source.'),
  },
  additionalProperties: false,
  description: 'A field that was filled in.',
} as const

const Missing = {
  type: 'object',
  required: ['field', 'what'],
  properties: {
    field: text('The field, as a JSON Pointer, or the section.'),
    what: text('What to write there.'),
    example: text('An example.'),
    choices: {
      type: 'array',
      items: text('One value.'),
      description: 'The allowed values, when there are few.',
    },
  },
  additionalProperties: false,
  description: 'A required field that is missing.',
} as const

const Carried = {
  type: 'object',
  required: ['number', 'section', 'text', 'outcome', 'why', 'said'],
  properties: {
    number: { type: 'integer', minimum: 1, description: 'The number to answer with.' },
    section: text('The section of the predecessor that contains it.'),
    text: text('The open item, as Markdown.'),
    outcome: {
      enum: ['kept', 'done', 'superseded'],
      description: 'Its outcome; items that you do not mention are kept.',
    },
    why: text('The reason that was given.'),
    said: {
      enum: ['answered', 'restated', 'unsaid'],
      description: 'Whether it was answered, is in the new document already, or was not mentioned.',
    },
  },
  additionalProperties: false,
  description: 'An open item of the predecessor.',
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
    'inForce',
    'conflicts',
  ],
  properties: {
    contract: text('The contract of the new document.'),
    path: textOrNull('Its path, from the root; null for an agent when nothing was written.'),
    target: text('For an agent, where it would be written, when nothing was.'),
    accepted: flag('Whether nothing is missing and the full check found no errors.'),
    created: flag('Whether the file was written.'),
    draft: flag('Whether it is a draft, which may have errors.'),
    dryRun: flag('Whether this was a dry run.'),
    text: textOrNull('The text of the document; null when it was refused.'),
    known: { type: 'array', items: Known, description: 'The fields that were filled in.' },
    missing: {
      type: 'array',
      items: Missing,
      description: 'The required fields that are missing.',
    },
    predecessor: textOrNull(
      'The handoff that it continues, from the root; null when there is none.',
    ),
    carried: {
      type: 'array',
      items: Carried,
      description: 'The open items of the predecessor and their outcomes.',
    },
    notes: {
      type: 'array',
      items: text('One sentence.'),
      description: 'Hints for the author.',
    },
    diagnostics: Report.properties.diagnostics,
    inForce: InForceList,
    conflicts: ConflictList,
  },
  additionalProperties: false,
  title: 'Output of waybill new',
  description: 'The new document, the fields that were filled in and those that are missing.',
} as const

/** A field that was filled in, with its source. */
export type KnownPart = TypeOf<typeof Known>

/** A required field that is missing. */
export type MissingField = TypeOf<typeof Missing>

/** The output of `new`; only what an agent gets lacks a path. */
export type NewOutput = TypeOf<typeof schema> & { readonly path: string }

export default schema
