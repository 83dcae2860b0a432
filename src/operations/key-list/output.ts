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
    algorithm: { enum: ['ecdsa-p256', 'ed25519', 'rsa'], description: 'The signature algorithm.' },
    fingerprint: { type: ['string', 'null'], description: 'The SSH fingerprint, for an SSH key.' },
    from: { type: 'string', description: 'Start of its validity, ISO 8601.' },
    until: { type: ['string', 'null'], description: 'End of its validity, or null.' },
    revoked: {
      type: ['string', 'null'],
      description: 'When it was revoked, or null.',
    },
    standing: {
      enum: ['valid', 'not-yet', 'expired', 'revoked'],
      description: 'Whether it is valid now.',
    },
    held: { type: 'boolean', description: 'Whether its private key is here.' },
    fault: {
      type: ['string', 'null'],
      description: 'Why the private key cannot be used, or null.',
    },
  },
  additionalProperties: false,
  description: 'One trusted key.',
} as const

const Unlisted = {
  type: 'object',
  required: ['keyid', 'path'],
  properties: {
    keyid: KeyId('SHA-256 of the public key (SPKI) in hex.'),
    path: { type: 'string', description: 'Path of the file from the root.' },
  },
  additionalProperties: false,
  description: 'A private key that is not listed under trust.',
} as const

const schema = {
  type: 'object',
  required: ['origin', 'keys', 'unlisted'],
  properties: {
    origin: {
      type: ['string', 'null'],
      description: 'The origin of the log whose key was created here.',
    },
    keys: { type: 'array', items: Listed, description: 'The keys under trust, in order.' },
    unlisted: {
      type: 'array',
      items: Unlisted,
      description: 'Private keys here that are not listed under trust and never sign.',
    },
  },
  additionalProperties: false,
  title: 'Output of waybill key list',
  description: 'The trusted keys, their validity, and which private keys are here.',
} as const

/** One trusted key, whether it is valid now, and whether its private key is here. */
export type ListedKey = TypeOf<typeof Listed>

/** The output of `key list`. */
export type KeyListOutput = TypeOf<typeof schema>
export default schema
