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
      description: 'That an entry is in the log, or that the log has only grown.',
    },
    origin: { type: 'string', description: 'The name of the log.' },
    size: {
      type: 'integer',
      minimum: 0,
      description: 'Number of entries that the checkpoint covers.',
    },
    root: { type: 'string', description: 'The root hash of the tree, in hex.' },
    from: {
      type: ['integer', 'null'],
      minimum: 0,
      description: 'The earlier size; null for an entry.',
    },
    index: {
      type: ['integer', 'null'],
      minimum: 0,
      description: 'The index of the entry; null for sizes.',
    },
    digest: { type: ['string', 'null'], description: 'The digest of the entry; null for sizes.' },
    erased: {
      type: 'boolean',
      description: 'Whether the content of the entry was erased; its existence is still proved.',
    },
    leaf: {
      type: ['string', 'null'],
      description: 'The RFC 6962 hash of its leaf, in hex; null for sizes.',
    },
    hashes: {
      type: 'array',
      items: { type: 'string', description: 'A hash of the tree, in base64.' },
      description: 'The proof (RFC 9162).',
    },
    proof: { type: 'string', description: 'The text of the file: proof and signed checkpoint.' },
    file: { type: ['string', 'null'], description: 'Path of the written file, or null.' },
  },
  additionalProperties: false,
  title: 'Output of waybill log prove',
  description: 'A proof that can be verified offline.',
} as const

/** The output of `log prove`. */
export type LogProveOutput = TypeOf<typeof schema>
export default schema
