import type { TypeOf } from '../operation.ts'

const schema = {
  type: 'object',
  required: ['origin', 'size', 'root', 'note', 'signers', 'keys', 'gateway', 'keysOnly'],
  properties: {
    origin: { type: 'string', description: 'The name of the log.' },
    size: { type: 'integer', minimum: 0, description: 'Number of entries it covers.' },
    root: { type: 'string', description: 'The root hash of the tree, in hex.' },
    note: { type: 'string', description: 'The exact signed note.' },
    signers: {
      type: 'array',
      items: {
        type: 'object',
        required: ['key', 'log', 'witness', 'time'],
        properties: {
          key: { type: 'string', description: 'The key, as `<name>+<id>`.' },
          log: { type: 'boolean', description: 'Whether it is a key of the log itself.' },
          witness: {
            type: ['string', 'null'],
            description:
              'The witness of the configured policy, if its signature is valid; else null.',
          },
          time: {
            type: ['string', 'null'],
            description: 'Time of the cosignature, ISO 8601.',
          },
        },
        additionalProperties: false,
        description: 'A signature on the note.',
      },
      description: 'The signatures of the log and of witnesses.',
    },
    keys: {
      type: 'array',
      items: { type: 'string', description: 'One verifier key.' },
      description: 'The verifier keys of the log, in the format that other tools use.',
    },
    gateway: {
      type: 'array',
      items: { type: 'string', description: 'One public key.' },
      description: 'The public keys of its gateway, which signs entries: base64 of the SPKI.',
    },
    keysOnly: { type: 'boolean', description: 'Whether only the keys were requested.' },
  },
  additionalProperties: false,
  title: 'Output of waybill log checkpoint',
  description: 'The latest checkpoint of the log, and the keys that verify it.',
} as const

/** The output of `log checkpoint`. */
export type LogCheckpointOutput = TypeOf<typeof schema>
export default schema
