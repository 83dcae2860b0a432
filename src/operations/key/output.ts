import type { TypeOf } from '../operation.ts'

/** The schema of a key's holder. */
export const Holder = {
  type: 'object',
  required: ['kind', 'name'],
  properties: {
    kind: {
      enum: ['agent', 'person', 'gateway', 'log'],
      description: 'The kind of holder.',
    },
    name: {
      type: 'string',
      description: 'The id of an agent, the name of a person, or the origin of the log.',
    },
  },
  additionalProperties: false,
  description: 'The holder of a key.',
} as const

/** The schema of a key id. */
export const KeyId = (description: string) => ({ type: 'string', description }) as const

const Change = {
  type: 'object',
  required: ['change', 'holder', 'keyid', 'at', 'replaced', 'why'],
  properties: {
    change: { enum: ['created', 'rotated', 'revoked'], description: 'What was done.' },
    holder: Holder,
    keyid: KeyId('The new or revoked key.'),
    at: { type: 'string', description: 'When the change takes effect, ISO 8601.' },
    replaced: {
      type: 'array',
      items: KeyId('A replaced key.'),
      description: 'The keys that it replaces.',
    },
    why: { type: ['string', 'null'], description: 'The reason of a revocation, or null.' },
  },
  additionalProperties: false,
  description: 'The change to one key.',
} as const

/** Returns the output schema of an operation that changes keys. */
export const changesSchema = <const T extends string>(title: T, description: string) =>
  ({
    type: 'object',
    required: ['changes'],
    properties: {
      changes: { type: 'array', items: Change, description: 'The changes.' },
    },
    additionalProperties: false,
    title,
    description,
  }) as const

/** The change to one key. */
export type ChangedKey = TypeOf<typeof Change>

/** The output of an operation that changes keys. */
export interface KeyChangesOutput {
  readonly changes: readonly ChangedKey[]
}
