import type { TypeOf } from '../operation.ts'

const schema = {
  type: 'object',
  required: ['index', 'digest', 'origin', 'bundle', 'file'],
  properties: {
    index: { type: 'integer', minimum: 0, description: 'The index of the entry.' },
    digest: { type: 'string', description: 'The digest of the entry.' },
    origin: { type: 'string', description: 'The name of the log.' },
    bundle: {
      type: 'object',
      required: ['mediaType', 'verificationMaterial', 'dsseEnvelope'],
      properties: {
        mediaType: { type: 'string', description: 'The media type.' },
        verificationMaterial: {
          type: 'object',
          properties: {},
          additionalProperties: true,
          description: 'The key hint, and the log entry with its proof.',
        },
        dsseEnvelope: {
          type: 'object',
          properties: {},
          additionalProperties: true,
          description: 'The signed statement.',
        },
      },
      additionalProperties: false,
      description: 'The Sigstore bundle v0.3.',
    },
    file: { type: ['string', 'null'], description: 'Path of the written file, or null.' },
  },
  additionalProperties: false,
  title: 'Output of waybill log bundle',
  description: 'An entry as a Sigstore bundle.',
} as const

/** The output of `log bundle`. */
export type LogBundleOutput = TypeOf<typeof schema>
export default schema
