import type { TypeOf } from '../operation.ts'

const schema = {
  type: 'object',
  required: [
    ...['proves', 'origin', 'size', 'root', 'from', 'index', 'digest', 'leaf', 'hashes', 'proof'],
    ...['file', 'erased'],
  ],
  properties: {
    proves: {
      enum: ['inclusion', 'consistency'],
      description: 'That an entry stands in the log, or that the log has only grown.',
    },
    origin: { type: 'string', description: 'The name of the log.' },
    size: { type: 'integer', minimum: 0, description: 'How many entries the checkpoint covers.' },
    root: { type: 'string', description: 'The root of the tree, in hex.' },
    from: {
      type: ['integer', 'null'],
      minimum: 0,
      description: 'The earlier size; null for an entry.',
    },
    index: {
      type: ['integer', 'null'],
      minimum: 0,
      description: 'The place of the entry; null for sizes.',
    },
    digest: { type: ['string', 'null'], description: 'The name of the entry; null for sizes.' },
    erased: {
      type: 'boolean',
      description:
        'Whether what the entry said was erased: that it was there is proved all the same.',
    },
    leaf: {
      type: ['string', 'null'],
      description: 'The RFC 6962 hash of its leaf, in hex; null for sizes.',
    },
    hashes: {
      type: 'array',
      items: { type: 'string', description: 'A hash of the tree, in base64.' },
      description: 'The proof itself (RFC 9162).',
    },
    proof: { type: 'string', description: 'The file: proof and signed checkpoint.' },
    file: { type: ['string', 'null'], description: 'Where it was written; null if nowhere.' },
  },
  additionalProperties: false,
  title: 'Output of waybill log prove',
  description: 'A proof that can be checked without us.',
} as const

/** What `log prove` answers. */
export type LogProveOutput = TypeOf<typeof schema>
export default schema
