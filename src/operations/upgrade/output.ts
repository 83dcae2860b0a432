import { Report } from '../check/output.ts'
import type { TypeOf } from '../operation.ts'

const text = (description: string) => ({ type: 'string', description }) as const
const textOrNull = (description: string) => ({ type: ['string', 'null'], description }) as const
const pointers = (description: string) =>
  ({ type: 'array', items: text('A JSON Pointer.'), description }) as const

const Step = {
  type: 'object',
  required: ['from', 'to', 'summary', 'added', 'changed', 'moved', 'lost'],
  properties: {
    from: text('The version before the step.'),
    to: text('The version after it.'),
    summary: text('What the step does.'),
    added: pointers('Parts that are new.'),
    changed: pointers('Parts whose value is another.'),
    moved: {
      type: 'array',
      items: {
        type: 'object',
        required: ['from', 'to'],
        properties: {
          from: text('Where the part stood, a JSON Pointer.'),
          to: text('Where it stands now, a JSON Pointer.'),
        },
        additionalProperties: false,
        description: 'One part.',
      },
      description: 'Parts that stand elsewhere now.',
    },
    lost: {
      type: 'array',
      items: {
        type: 'object',
        required: ['path', 'why'],
        properties: {
          path: text('The part, a JSON Pointer.'),
          why: text('Why the new version has no place for it.'),
        },
        additionalProperties: false,
        description: 'One part.',
      },
      description: 'Parts that are gone.',
    },
  },
  additionalProperties: false,
  description: 'What one step did, as found by comparing the document before and after.',
} as const

const Upgraded = {
  type: 'object',
  required: [
    'path',
    'contract',
    'from',
    'to',
    'outcome',
    'reason',
    'steps',
    'diagnostics',
    'sha256',
    'text',
    'output',
  ],
  properties: {
    path: text('The file, from the root.'),
    contract: textOrNull('The contract of the document; null where none was recognised.'),
    from: textOrNull('The version that the document states; null where it states none.'),
    to: textOrNull('The version that it was to get; null where that could not be told.'),
    outcome: {
      enum: ['current', 'upgradable', 'written', 'refused'],
      description:
        'Whether it has that version already, could be written, was written, or was refused.',
    },
    reason: textOrNull('Why it was refused; null where it was not.'),
    steps: { type: 'array', items: Step, description: 'The steps that were taken, in order.' },
    diagnostics: Report.properties.diagnostics,
    sha256: textOrNull('The digest of the file that was read; null where it cannot be read.'),
    text: textOrNull('The text of the new version; null where there is none.'),
    output: textOrNull('The file that it was written to, from the root; null where none was.'),
  },
  additionalProperties: false,
  description: 'One document and what became of it.',
} as const

const schema = {
  type: 'object',
  required: ['documents'],
  properties: {
    documents: { type: 'array', items: Upgraded, description: 'The documents as they were named.' },
  },
  additionalProperties: false,
  title: 'Output of waybill upgrade',
  description: 'What migrations make of documents, step by step.',
} as const

/** A document and what became of it. */
export type UpgradedDocument = TypeOf<typeof Upgraded>

/** What `upgrade` answers. */
export type UpgradeOutput = TypeOf<typeof schema>
export default schema
