import type { TypeOf } from '../operation.ts'

const schema = {
  type: 'object',
  required: ['index', 'digest', 'origin', 'bundle', 'file'],
  properties: {
    index: { type: 'integer', minimum: 0, description: 'The place of the entry.' },
    digest: { type: 'string', description: 'The name of the entry.' },
    origin: { type: 'string', description: 'The name of the log.' },
    bundle: {
      type: 'object',
      required: ['mediaType', 'verificationMaterial', 'dsseEnvelope'],
      properties: {
        mediaType: { type: 'string', description: 'Which format it is.' },
        verificationMaterial: {
          type: 'object',
          properties: {},
          additionalProperties: true,
          description: 'The hint for the key, and the entry of the log with its proof.',
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
    file: { type: ['string', 'null'], description: 'Where it was written; null if nowhere.' },
  },
  additionalProperties: false,
  title: 'Output of waybill log bundle',
  description: 'An entry as tools of the Sigstore project read it.',
} as const

/** What `log bundle` answers. */
export type LogBundleOutput = TypeOf<typeof schema>
export default schema
