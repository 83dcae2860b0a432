import { Holder, KeyId } from '../key/output.ts'
import type { TypeOf } from '../operation.ts'

const Listed = {
  type: 'object',
  required: [
    ...['holder', 'keyid', 'algorithm', 'fingerprint', 'from', 'until', 'revoked'],
    ...['standing', 'held', 'fault'],
  ],
  properties: {
    holder: Holder,
    keyid: KeyId('SHA-256 of the public key (SPKI) in hex.'),
    algorithm: { enum: ['ecdsa-p256', 'ed25519', 'rsa'], description: 'How it signs.' },
    fingerprint: { type: ['string', 'null'], description: 'What SSH calls it, for an SSH key.' },
    from: { type: 'string', description: 'When it begins to count, ISO 8601.' },
    until: { type: ['string', 'null'], description: 'When it ends to count.' },
    revoked: {
      type: ['string', 'null'],
      description: 'From when on nothing that it signs counts.',
    },
    standing: {
      enum: ['valid', 'not-yet', 'expired', 'revoked'],
      description: 'Whether what it signs now counts.',
    },
    held: { type: 'boolean', description: 'Whether its private half is here.' },
    fault: { type: ['string', 'null'], description: 'Why the private half may not be used.' },
  },
  additionalProperties: false,
  description: 'One key that trust lists.',
} as const

const Unlisted = {
  type: 'object',
  required: ['keyid', 'path'],
  properties: {
    keyid: KeyId('SHA-256 of the public key (SPKI) in hex.'),
    path: { type: 'string', description: 'The file, from the root.' },
  },
  additionalProperties: false,
  description: 'A private key that trust does not list.',
} as const

const schema = {
  type: 'object',
  required: ['origin', 'keys', 'unlisted'],
  properties: {
    origin: {
      type: ['string', 'null'],
      description: 'The origin of the log whose key was made here.',
    },
    keys: { type: 'array', items: Listed, description: 'The keys that trust lists, in its order.' },
    unlisted: {
      type: 'array',
      items: Unlisted,
      description: 'Private keys here that trust does not list: they never sign.',
    },
  },
  additionalProperties: false,
  title: 'Output of waybill key list',
  description: 'Whose keys count, from when until when, and whose private halves are here.',
} as const

/** One key that trust lists, whether it counts now, and whether its private half is here. */
export type ListedKey = TypeOf<typeof Listed>

/** What `key list` answers. */
export type KeyListOutput = TypeOf<typeof schema>
export default schema
