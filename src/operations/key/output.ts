import type { TypeOf } from '../operation.ts'

/** Whose key it is. */
export const Holder = {
  type: 'object',
  required: ['kind', 'name'],
  properties: {
    kind: {
      enum: ['agent', 'person', 'gateway', 'log'],
      description: 'What sort of holder it is.',
    },
    name: {
      type: 'string',
      description: 'The id of an agent, the name of a person, or the origin of the log.',
    },
  },
  additionalProperties: false,
  description: 'Whose key it is.',
} as const

/** The schema of a key id. */
export const KeyId = (description: string) => ({ type: 'string', description }) as const

const Change = {
  type: 'object',
  required: ['change', 'holder', 'keyid', 'at', 'replaced', 'why'],
  properties: {
    change: { enum: ['created', 'rotated', 'revoked'], description: 'What became of it.' },
    holder: Holder,
    keyid: KeyId('The key that is new or was revoked.'),
    at: { type: 'string', description: 'From when on, ISO 8601.' },
    replaced: {
      type: 'array',
      items: KeyId('A key that ends to count.'),
      description: 'The keys that it succeeds.',
    },
    why: { type: ['string', 'null'], description: 'Why it was revoked.' },
  },
  additionalProperties: false,
  description: 'What became of one key.',
} as const

/** The schema of what an operation answers that changes keys. */
export const changesSchema = <const T extends string>(title: T, description: string) =>
  ({
    type: 'object',
    required: ['changes'],
    properties: {
      changes: { type: 'array', items: Change, description: 'What became of each key.' },
    },
    additionalProperties: false,
    title,
    description,
  }) as const

/** What became of one key. */
export type ChangedKey = TypeOf<typeof Change>

/** What an operation answers that changes keys. */
export interface KeyChangesOutput {
  readonly changes: readonly ChangedKey[]
}
