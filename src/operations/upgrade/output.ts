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
    added: pointers('New parts.'),
    changed: pointers('Parts with another value.'),
    moved: {
      type: 'array',
      items: {
        type: 'object',
        required: ['from', 'to'],
        properties: {
          from: text('The old location, a JSON Pointer.'),
          to: text('The new location, a JSON Pointer.'),
        },
        additionalProperties: false,
        description: 'One part.',
      },
      description: 'Parts that moved.',
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
      description: 'Parts that were removed.',
    },
  },
  additionalProperties: false,
  description: 'The changes of one step, found by comparing the document before and after.',
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
    contract: textOrNull('The contract of the document; null when not recognised.'),
    from: textOrNull('The version that the document states; null when it states none.'),
    to: textOrNull('The target version; null when unknown.'),
    outcome: {
      enum: ['current', 'upgradable', 'written', 'refused'],
      description:
        'Whether it has that version already, can be upgraded, was written, or was refused.',
    },
    reason: textOrNull('Why it was refused; null otherwise.'),
    steps: { type: 'array', items: Step, description: 'The steps, in order.' },
    diagnostics: Report.properties.diagnostics,
    sha256: textOrNull('The digest of the file; null when unreadable.'),
    text: textOrNull('The text of the new version; null when there is none.'),
    output: textOrNull('The file that was written, from the root; null when none was.'),
  },
  additionalProperties: false,
  description: 'One document and its result.',
} as const

const schema = {
  type: 'object',
  required: ['documents'],
  properties: {
    documents: {
      type: 'array',
      items: Upgraded,
      description: 'The documents, in the given order.',
    },
  },
  additionalProperties: false,
  title: 'Output of waybill upgrade',
  description: 'The results of upgrading documents, step by step.',
} as const

/** A document and its result. */
export type UpgradedDocument = TypeOf<typeof Upgraded>

/** The output of `upgrade`. */
export type UpgradeOutput = TypeOf<typeof schema>
export default schema
